import { expect, it } from '@jest/globals';

import { codeChallengeOf, newCodeVerifier } from './pkce.js';

it('makes the challenge of RFC 7636 appendix B', () => {
  expect(codeChallengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
});

it('makes different verifiers of 43 allowed characters (RFC 7636 section 4.1)', () => {
  const verifiers = Array.from({ length: 100 }, newCodeVerifier);
  for (const verifier of verifiers) expect(verifier).toMatch(/^[A-Za-z0-9._~-]{43}$/);
  expect(new Set(verifiers).size).toBe(100);
});
