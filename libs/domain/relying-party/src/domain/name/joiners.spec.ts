import { withoutSpelledJoiners } from './joiners.js';

const [ZWNJ, ZWJ] = ['\u200c', '\u200d'];

describe('a joiner', () => {
  it.each([
    ['Persian', `کتاب${ZWNJ}خانه`],
    ['Persian, twice', `می${ZWNJ}خواهم کتاب${ZWNJ}ها`],
    ['Persian, over a mark that joins nothing', `کتابِ${ZWNJ}خانه`],
    ['Urdu', `بہ${ZWNJ}تر`],
    ['Syriac', `\u0712${ZWNJ}\u0712`],
    ['N’Ko', `\u07ca${ZWNJ}\u07cb`],
    ['Mandaic', `\u0841${ZWNJ}\u0842`],
    ['Mongolian', `\u1820${ZWNJ}\u1828`],
    ['Phags-pa', `\ua840${ZWNJ}\ua841`],
    ['Adlam', `\u{1e922}${ZWNJ}\u{1e923}`],
    ['Hanifi Rohingya', `\u{10d01}${ZWNJ}\u{10d02}`],
    ['Balinese, behind a virama', `\u1b13\u1b44${ZWNJ}\u1b13`],
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
    ['between Syriac letters of which the first never joins the next one', `\u0715${ZWNJ}\u0712`],
    ['ZWJ between Mongolian letters', `\u1820${ZWJ}\u1828`],
    ['between Hebrew letters', `\u05d0${ZWNJ}\u05d1`],
    ['before a presentation form', `خ${ZWNJ}\ufe91`],
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
