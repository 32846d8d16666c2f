import { withoutSpelledJoiners } from './joiners.js';

const [ZWNJ, ZWJ] = ['\u200c', '\u200d'];

describe('a joiner', () => {
  it.each([
    ['Persian', `کتاب${ZWNJ}خانه`],
    ['Persian, twice', `می${ZWNJ}خواهم کتاب${ZWNJ}ها`],
    ['Persian, over a mark that joins nothing', `کتابِ${ZWNJ}خانه`],
    ['Devanagari, behind a virama', `क्${ZWNJ}ष`],
    ['Devanagari, ZWJ behind a virama', `क्${ZWJ}ष`],
    ['Sinhala', `ශ්${ZWJ}රී`],
    ['Malayalam, at the end of a word', `അവന്${ZWJ} 24`],
    ['beside other words', `Bank (کتاب${ZWNJ}خانه) & Co.`],
  ])('is spelling: %s', (_, name) => {
    expect(withoutSpelledJoiners(name)).toBe(name.replaceAll(/[\u200c\u200d]/gu, ''));
  });

  it.each([
    ['between Latin letters', `Ac${ZWNJ}me`],
    ['ZWJ between Latin letters', `Ac${ZWJ}me`],
    ['between Cyrillic letters', `Ба${ZWNJ}нк`],
    ['ZWJ between Arabic letters, which join anyway', `کتاب${ZWJ}خانه`],
    ['behind a letter that never joins the next one', `کتا${ZWNJ}بخانه`],
    ['at the beginning', `${ZWNJ}کتاب`],
    ['at the end', `کتاب${ZWNJ}`],
    ['before a space', `کتاب${ZWNJ} خانه`],
    ['twice in a row', `کتاب${ZWNJ}${ZWNJ}خانه`],
    ['behind a virama that ends the word', `क्${ZWNJ}`],
    ['alone', ZWNJ],
    ['between emoji', `😀${ZWJ}😀`],
    ['behind a Latin letter, before an Arabic one', `a${ZWNJ}خ`],
  ])('is no spelling: %s', (_, name) => {
    expect(withoutSpelledJoiners(name)).toBe(name);
  });
});
