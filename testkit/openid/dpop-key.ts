import { generateKeyPairSync, randomUUID } from 'node:crypto';

import { type JWK, SignJWT } from 'jose';

import { sha256Base64url } from '#kernel';

export interface ProofTerms {
  readonly htm?: string;
  readonly htu: string;
  /** Epoch seconds. */
  readonly iat: number;
  readonly accessToken?: string;
}

/** A key to which access tokens are bound (RFC 9449). */
export class DpopKey {
  readonly pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  get jwk(): JWK {
    return this.pair.publicKey.export({ format: 'jwk' }) as JWK;
  }

  /** A proof for one call. `claims` and `header` change what it says. */
  proof({ htm = 'POST', htu, iat, accessToken }: ProofTerms, claims: object = {}, header: object = {}): Promise<string> {
    const ath = accessToken === undefined ? {} : { ath: sha256Base64url(accessToken) };
    return new SignJWT({ htm, htu, iat, jti: randomUUID(), ...ath, ...claims })
      .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: this.jwk, ...header })
      .sign(this.pair.privateKey);
  }
}
