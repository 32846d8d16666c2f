import { generateKeyPairSync, type JsonWebKey, randomUUID } from 'node:crypto';

import { SignJWT } from 'jose';

export interface AssertionTerms {
  readonly clientId: string;
  readonly audience: string;
  /** Epoch seconds. Default: of this machine's clock. */
  readonly now?: number;
  readonly jti?: string;
}

/** A key of a relying party, by which it proves itself. */
export class AssertionKey {
  readonly #pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  constructor(readonly kid = 'first') {}

  /** The public half, as a JWK Set has it. */
  get jwk(): JsonWebKey {
    return { ...this.#pair.publicKey.export({ format: 'jwk' }), kid: this.kid };
  }

  /** An assertion for 60 seconds (RFC 7523). */
  sign({ clientId, audience, now = Math.floor(Date.now() / 1_000), jti = randomUUID() }: AssertionTerms): Promise<string> {
    return this.signClaims({ iss: clientId, sub: clientId, aud: audience, jti, iat: now, exp: now + 60 });
  }

  /** Any JWT of the key. */
  signClaims(claims: object, header: object = {}): Promise<string> {
    return new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256', kid: this.kid, ...header }).sign(this.#pair.privateKey);
  }
}
