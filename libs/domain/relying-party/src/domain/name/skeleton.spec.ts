import { skeletonOf } from './skeleton.js';

const REAL = 'PayPal';

describe('the skeleton of a name', () => {
  it.each([
    ['another case', 'PAYPAL'],
    ['a capital I for an l', 'PayPaI'],
    ['the digit 1 for an l', 'PayPa1'],
    ['a bar for an l', 'PayPa|'],
    ['an i for an l, since its capital looks like one', 'PayPai'],
    ['Cyrillic letters', 'Раураl'],
    ['Cyrillic capitals', 'РАУРАL'],
    ['Greek letters', 'PαyPαl'],
    ['wide letters', 'ＰａｙＰａｌ'],
    ['letters of mathematics', '𝐏𝖆𝓎𝙋𝒶𝓵'],
    ['Cherokee letters', 'ᏢᎪyᏢᎪl'],
    ['a combining grapheme joiner', 'Pay\u034FPal'],
    ['a variation selector', 'PayPal\uFE0E'],
    ['a Hangul filler', 'PayPal\u3164'],
    ['an empty Braille pattern at its end', 'PayPal\u2800'],
    ['a soft hyphen', 'Pay\u00ADPal'],
  ])('is the same with %s', (_, name) => {
    expect(skeletonOf(name)).toBe(skeletonOf(REAL));
  });

  it.each([
    ['modern', 'rnodern'],
    ['Sadam 10', 'Sadam lO'],
    ['Bank-A', 'Bank\u2010A'],
    ['Rīga', 'R\u012Bga'],
    ['Rīga', 'Ri\u0304ga'],
    ['Acme Bank', 'Acme\u2800Bank'],
    ['Acme Bank', 'Acme \u00A0 Bank'],
    ['ВТБ', 'втб'.toUpperCase()],
    ['Сосо', 'Coco'],
    ['Σίτυ', 'Σι\u0301τυ'],
  ])('takes %j for %j', (one, other) => {
    expect(skeletonOf(other)).toBe(skeletonOf(one));
  });

  it.each([
    ['Äri', 'Ari'],
    ['Rīga', 'Riga'],
    ['Šiauliai', 'Siauliai'],
    ['Põhja', 'Pohja'],
    ['Acme Bank', 'AcmeBank'],
    ['Acme 2', 'Acme 3'],
    ['Swed', 'Sved'],
    ['Банк', 'Банки'],
    ['商店', '商社'],
    ['😀😀😀', '😀😀😃'],
  ])('tells %j from %j', (one, other) => {
    expect(skeletonOf(other)).not.toBe(skeletonOf(one));
  });

  it('keeps hexadecimal names apart, of which installations have many', () => {
    const names = Array.from({ length: 16 }, (_, digit) => digit.toString(16));
    expect(new Set(names.map(skeletonOf)).size).toBe(16);
  });

  it('is the same in capitals, for the letters of Latvian, Lithuanian, Estonian and English', () => {
    for (const letter of 'abcdefghijklmnopqrstuvwxyzāčēģīķļņšūžąęėįųõäöü') expect(skeletonOf(letter.toUpperCase())).toBe(skeletonOf(letter));
  });

  it('does not change when it is taken again', () => {
    for (let point = 0x20; point < 0x3000; point += 1) {
      const once = skeletonOf(String.fromCodePoint(point));
      expect(skeletonOf(once)).toBe(once);
    }
  });

  it('is made of the longest name, also when all its characters become longer', () => {
    expect(skeletonOf('\uFDFA'.repeat(64)).length).toBeGreaterThan(64);
  });
});
