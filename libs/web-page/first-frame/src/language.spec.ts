import { chooseLanguage, LANGUAGE_NAMES, LANGUAGES, localeOf } from './language.js';

describe('the language of a page', () => {
  it('is the first that the browser prefers and we have', () => {
    expect(chooseLanguage(['fr-FR', 'et-EE', 'de'])).toBe('et');
  });

  it('is English when the browser prefers none of ours', () => {
    expect(chooseLanguage(['fr', 'zh-Hans'])).toBe('en');
    expect(chooseLanguage([])).toBe('en');
  });

  it('is the language that was chosen here before, if it is one', () => {
    expect(chooseLanguage(['de'], 'ru')).toBe('ru');
    expect(chooseLanguage(['de'], '<script>')).toBe('de');
    expect(chooseLanguage(['de'], null)).toBe('de');
  });

  it('writes dates in the regional variant that the browser prefers', () => {
    expect(localeOf('en', ['de-AT', 'en-GB', 'en-US'])).toBe('en-GB');
    expect(localeOf('et', ['de-AT'])).toBe('et');
  });

  it('is named in its own language in the list', () => {
    expect(Object.keys(LANGUAGE_NAMES)).toEqual([...LANGUAGES]);
  });
});
