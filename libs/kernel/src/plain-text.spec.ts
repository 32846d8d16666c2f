import { isCountryCode } from './country-code.js';
import { codePoints, isPlainText } from './plain-text.js';

describe('a text that is shown to people', () => {
  it.each(['Põhja Pank', 'مصرف', '日本', '😀', 'a\u200db'])('may be %j', (text) => expect(isPlainText(text)).toBe(true));
  it.each(['a\nb', '\u0000', '\u0085', 'x\u202e', '\u2066x', '\u2028', '\ud800', '\udc00a'])('may not be %j', (text) =>
    expect(isPlainText(text)).toBe(false),
  );
  it('is counted in code points', () => expect(codePoints('a😀')).toBe(2));
});

describe('a country code', () => {
  it.each(['EE', 'GB', 'SS', 'XK'])('is %s', (code) => expect(isCountryCode(code)).toBe(true));
  it.each(['ee', 'UK', 'XX', 'EU', 'EST', 'E', ''])('is not %j', (code) => expect(isCountryCode(code)).toBe(false));
});
