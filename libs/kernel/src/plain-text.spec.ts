import { isCountryCode } from './country-code.js';
import { codePoints, isPlainText, onOneLine } from './plain-text.js';
import { withoutDeception } from '../browser/src/index.js';

describe('a text that is shown to people', () => {
  it.each(['Põhja Pank', 'مصرف', '日本', '😀', 'a\u200db'])('may be %j', (text) => expect(isPlainText(text)).toBe(true));
  it.each(['a\nb', '\u0000', '\u0085', 'x\u202e', '\u2066x', '\u2028', '\ud800', '\udc00a'])('may not be %j', (text) =>
    expect(isPlainText(text)).toBe(false),
  );
  it('is replaced in its deceptive characters on a page', () => {
    expect(withoutDeception('a\u202eb\u2028c😀\u200f')).toBe('a\ufffdb\ufffdc😀\u200f');
  });
  it('stays on one line of a log or a terminal, in one direction', () => {
    expect(onOneLine('a\u202eb\u2028c\nd😀\u200f')).toBe('a?b?c?d😀?');
  });
  it('is counted in code points', () => expect(codePoints('a😀')).toBe(2));
});

describe('a country code', () => {
  it.each(['EE', 'GB', 'SS', 'XK'])('is %s', (code) => expect(isCountryCode(code)).toBe(true));
  it.each(['ee', 'UK', 'XX', 'EU', 'EST', 'E', ''])('is not %j', (code) => expect(isCountryCode(code)).toBe(false));
});
