import { sha256Base64url } from '#kernel';

/** RFC 7636 section 4.1: 43 to 128 unreserved characters, for the verifier and the challenge. */
export const PKCE_VALUE = /^[A-Za-z0-9\-._~]{43,128}$/;

/** RFC 7636 section 4.2, S256: base64url, without padding, of the SHA-256 of the verifier's ASCII characters. */
export const codeChallengeOf = (codeVerifier: string): string => sha256Base64url(codeVerifier);
