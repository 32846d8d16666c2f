import { codeChallengeOf, PKCE_VALUE } from './pkce.js';

describe('PKCE', () => {
  it('makes the challenge of RFC 7636 Appendix B', () => {
    expect(codeChallengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
  });

  it.each(['a'.repeat(43), 'a'.repeat(128), `AZaz09-._~${'x'.repeat(33)}`])('takes %s', (value) => {
    expect(PKCE_VALUE.test(value)).toBe(true);
  });

  it.each([
    '',
    'a'.repeat(42),
    'a'.repeat(129),
    `${'a'.repeat(43)}\n`,
    ` ${'a'.repeat(43)}`,
    ...['+', '/', '=', 'ä', ' '].map((one) => 'a'.repeat(42) + one),
  ])('refuses %j', (value) => {
    expect(PKCE_VALUE.test(value)).toBe(false);
  });
});
