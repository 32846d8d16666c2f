import { hasOneScriptPerWord } from './one-script.js';

describe('a name', () => {
  it.each([
    'AS Põhja Pank (Läti)',
    'Žemaitijos pienas',
    'Банк SEB',
    'SEB-Банк',
    'Магазин 商店 shop',
    'ТВ3 и 1С',
    "O'Рейли",
    'Ωμέγα',
    'مصرف',
    '日本のゲームTV',
    '삼성SDS',
    '中文ㄅㄆ',
    '😀😀😀',
    'ᏣᎳᎩ',
    '3M 24/7',
    'Cafe\u0301',
    'ʻAina',
    'کتاب\u200cخانه',
  ])('%j has one script a word', (name) => {
    expect(hasOneScriptPerWord(name)).toBe(true);
  });

  it.each([
    'PayРal',
    'Сбep',
    'SEBБанк',
    'Αcme',
    'Асme',
    'Acмe24',
    'ᏢayPal',
    'Аᴄme',
    'Ωlympic',
    'მაღაზიa',
    'Ac\u0301меx',
    'Ｐауpal',
    'Ѕwedbank',
    'क्\u200cbank',
    'مصرفx',
  ])('%j mixes scripts within a word', (name) => {
    expect(hasOneScriptPerWord(name)).toBe(false);
  });
});
