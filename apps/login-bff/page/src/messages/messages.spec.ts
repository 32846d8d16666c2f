import { LANGUAGES } from '#web-page/browser';
import { MESSAGES } from './messages.js';

const slots = (text: string): readonly string[] => [...text.matchAll(/\{[a-zA-Z]+\}/g)].map(([slot]) => slot).sort();

describe.each(LANGUAGES)('the texts in %s', (language) => {
  const texts = MESSAGES[language];

  it('are complete, and none is empty', () => {
    expect(Object.keys(texts)).toEqual(Object.keys(MESSAGES.en));
    for (const text of Object.values(texts)) expect(text.trim()).not.toBe('');
  });

  it('have the same placeholders as the English text', () => {
    for (const [key, text] of Object.entries(MESSAGES.en)) {
      expect([key, slots(texts[key as keyof typeof texts])]).toEqual([key, slots(text)]);
    }
  });
});
