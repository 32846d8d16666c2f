import { createHash, randomBytes } from 'node:crypto';

/** 32 random bytes as base64url: a verifier of 43 characters (RFC 7636 section 4.1). */
export const newCodeVerifier = (): string => randomBytes(32).toString('base64url');

/** RFC 7636 section 4.2: the digest of the verifier's ASCII characters, not of the bytes that it encodes. */
export const codeChallengeOf = (codeVerifier: string): string => createHash('sha256').update(codeVerifier, 'ascii').digest('base64url');
