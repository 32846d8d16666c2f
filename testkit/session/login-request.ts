/** RFC 7636 appendix B. */
export const CODE_VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const CODE_CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

export const REDIRECT_URI = 'https://rp.example/callback?tenant=1';

/** The body of POST session for a login. */
export const LOGIN = {
  redirect_uri: REDIRECT_URI,
  state: 'state of the client',
  signature_type: 'AUTHENTICATION',
  code_challenge: CODE_CHALLENGE,
  code_challenge_method: 'S256',
} as const;
