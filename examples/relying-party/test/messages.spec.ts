import { resolve } from 'node:path';

import { catalogueFaults, readSources } from '#testkit/web-page/catalogue-faults';

import { isLanguage, languageOf } from '../src/language.js';
import { LANGUAGES, TEXTS } from '../src/messages/messages.js';

const DEMO = resolve(import.meta.dirname, '..');

describe('the texts of the demo', () => {
  it('are there in the languages of the other pages', () => {
    expect([...LANGUAGES].sort()).toEqual(['de', 'en', 'et', 'lt', 'lv', 'ru']);
    expect(Object.keys(TEXTS).sort()).toEqual([...LANGUAGES].sort());
  });

  it('have the same keys in every language, all of them used, and none is empty', () => {
    expect(catalogueFaults(TEXTS, readSources(resolve(DEMO, 'src')))).toEqual([]);
  });
});

describe('the language of the demo', () => {
  const of = (accepted?: string, chosen?: string) =>
    languageOf({ headers: accepted === undefined ? {} : { 'accept-language': accepted }, cookies: chosen === undefined ? {} : { language: chosen } });

  it.each([
    [undefined, 'en'],
    ['et-EE,et;q=0.9,en;q=0.8', 'et'],
    ['fr-FR,fr;q=0.9,de;q=0.4,ru;q=0.5', 'ru'],
    ['lv;q=0, lt', 'lt'],
    ['fr', 'en'],
    ['*', 'en'],
  ])('is the first wanted one that the demo has (%s)', (accepted, language) => {
    expect(of(accepted)).toBe(language);
  });

  it('is the chosen one where there is one', () => {
    expect(of('de', 'lv')).toBe('lv');
    expect(of('de', 'constructor')).toBe('de');
    expect(isLanguage('fr')).toBe(false);
  });
});
