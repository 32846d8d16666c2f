import { isCountryCode } from './country-code.js';

describe('isCountryCode', () => {
  it('takes the codes of ISO 3166-1 alpha-2', () => {
    for (const code of ['EE', 'DE', 'GB', 'US']) expect(isCountryCode(code)).toBe(true);
  });

  it('takes that of Kosovo, which ISO 3166-1 does not assign', () => {
    expect(isCountryCode('XK')).toBe(true);
  });

  it.each(['', 'ee', 'E', 'EST', 'XX', 'EE ', 'ЕЕ', 'UK'])('refuses %j', (code) => {
    expect(isCountryCode(code)).toBe(false);
  });
});
