import { closenessOf } from './closeness.js';
import { nameFormOf } from './name-form.js';

const between = (one: string, other: string) => closenessOf(nameFormOf(one), nameFormOf(other));

describe('how close a name is to another', () => {
  it.each([
    ['Swedbаnk', 100, ['NOTHING_THAT_SHOWS']],
    ['SWEDBANK', 100, ['NOTHING_THAT_SHOWS']],
    ['Swedbank.', 97, ['PUNCTUATION']],
    ['"Swedbank"', 97, ['PUNCTUATION']],
    ['Swed-bank', 97, ['PUNCTUATION']],
    ['— Swedbank —', 97, ['PUNCTUATION']],
    ['Swedbank™', 88, ['ADDED_WORDS']],
    ['✅ Swedbank', 97, ['EMOJI']],
    ['🏦Swedbank🏦', 97, ['EMOJI']],
    ['✅ "Swedbank"', 97, ['EMOJI', 'PUNCTUATION']],
    ['S w e d b a n k', 97, ['SPACES']],
    ['Swed bank', 97, ['SPACES']],
    ['Svvedbank', 93, ['LETTERS_THAT_LOOK_ALIKE']],
    ['Swedbånk', 93, ['LETTERS_THAT_LOOK_ALIKE']],
    ['Swędbank', 93, ['LETTERS_THAT_LOOK_ALIKE']],
    ['Sw3db@nk', 93, ['LETTERS_THAT_LOOK_ALIKE', 'PUNCTUATION']],
    ['Svvedbånk!', 93, ['LETTERS_THAT_LOOK_ALIKE', 'PUNCTUATION']],
    ['Swedbank support', 88, ['ADDED_WORDS']],
    ['Swedbank Verified ✅', 88, ['ADDED_WORDS', 'EMOJI']],
    ['Official Swedbank', 88, ['ADDED_WORDS']],
    ['Swedbank klienditugi', 88, ['ADDED_WORDS']],
    ['Swedbank AS', 88, ['ADDED_WORDS']],
    ['SwedbankSupport', 88, ['ADDED_WORDS']],
    ['www.swedbank.ee', 88, ['ADDED_WORDS', 'PUNCTUATION']],
    ['Svvedbånk-support', 88, ['ADDED_WORDS', 'PUNCTUATION']],
    ['Swedbank Latvija', 65, ['ADDED_WORDS']],
    ['Swedbnak', 77, ['SPELLING']],
    ['Swedbanc', 77, ['SPELLING']],
    ['Swedebank', 78, ['SPELLING']],
  ])('tells of %j beside Swedbank, in both orders', (name, closeness, differences) => {
    expect(between(name, 'Swedbank')).toEqual({ closeness, differences });
    expect(between('Swedbank', name)).toEqual({ closeness, differences });
  });

  it.each([
    ['Luminor', 'Swedbank'],
    ['SEB', 'Swedbank'],
    ['Nordea', 'Citadele'],
    ['Bank', 'Swed'],
    ['😀😀😀', 'Swedbank'],
    ['商店', '商社'],
    ['SEB', 'SAB'],
    ['Shop A', 'Store B'],
  ])('says nothing of %j beside %j', (one, other) => expect(between(one, other)).toBeUndefined());

  it.each([
    ['Countersign support', 'Countersign portal', 'ADDED_WORDS'],
    ['Поддержка Сбер', 'Сбер', 'ADDED_WORDS'],
    ['کتاب\u200cخانه', 'کتابخانه', 'NOTHING_THAT_SHOWS'],
    ['Rīga', 'Riga', 'LETTERS_THAT_LOOK_ALIKE'],
    ['Fuß', 'Fuss', 'LETTERS_THAT_LOOK_ALIKE'],
  ])('tells of %j beside %j: %s', (one, other, difference) => {
    expect(between(one, other)?.differences).toContain(difference);
  });

  it.each([
    ['SEB Bank', 'SEB', 88],
    ['SEB Pank', 'SEB Bank', 88],
    ['SEB Latvija', 'SEB', 88],
    ['SEB bankas', 'SEB', 88],
    ['AB SEB Eesti', 'SEB', 88],
    ['SEBpank', 'SEB', 88],
    ['LHV Pank', 'LHV', 88],
    ['AS LHV Kindlustus', 'LHV', 88],
    ['LHV Kindlustus', 'LHV Pank', 88],
    ['5EB B@nk', 'SEB', 88],
    ['SEB Volunteers', 'SEB', 52],
    ['Банк ВТБ', 'ВТБ', 88],
    ['Swedbank Eesti', 'Swedbank Latvija', 88],
  ])('tells of %j beside %j, in both orders: a short name is looked for as a word', (one, other, closeness) => {
    expect(between(one, other)).toMatchObject({ closeness });
    expect(between(other, one)).toEqual(between(one, other));
    expect(between(one, other)?.differences).toContain('ADDED_WORDS');
  });

  it.each([
    ['Sebra', 'SEB'],
    ['Losebank', 'SEB'],
    ['LHV Pank', 'SEB Pank'],
    ['Eesti Pank', 'Latvijas Banka'],
    ['AS Luminor', 'AS'],
    ['A', 'Shop A'],
  ])('says nothing of %j beside %j: a short name within a word, or nothing but a usual word', (one, other) =>
    expect(between(one, other)).toBeUndefined(),
  );

  it('takes a name of nothing but added words as it is', () => {
    expect(between('Customer Care', 'Customer Care!')?.differences).toEqual(['PUNCTUATION']);
    expect(between('Customer Care', 'Login Portal')).toBeUndefined();
  });

  it('is found in a moment for the longest names', () => {
    expect(between('a'.repeat(64), `${'a'.repeat(60)}bcde`)).toBeUndefined();
    expect(between('\uFDFA'.repeat(64), '\uFDFA'.repeat(63))).toBeDefined();
  });
});
