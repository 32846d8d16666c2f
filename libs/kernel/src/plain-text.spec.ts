import { codePoints, isPlainText } from './plain-text.js';

describe('isPlainText', () => {
  it.each(['', 'Grüße, 世界 🏳️‍🌈', "O'Brien & <b>", 'שלום'])('takes %j', (text) => {
    expect(isPlainText(text)).toBe(true);
  });

  it.each(['a\u0000', 'a\nb', 'a\tb', '\u007f', '\u0085', '\u2028', '\u2029', 'invoice\u202efdp.exe', '\u2066x', '\ud800', 'a\udc00b'])(
    'refuses what deceives or is no Unicode: %j',
    (text) => {
      expect(isPlainText(text)).toBe(false);
    },
  );
});

describe('codePoints', () => {
  it('counts code points, not UTF-16 units', () => {
    expect(['', 'abc', '世界', '🗝', 'e\u0301'].map(codePoints)).toEqual([0, 3, 2, 1, 2]);
  });
});
