import { createPublicKey } from 'node:crypto';

import { decodeProtectedHeader, jwtVerify } from 'jose';

import { beyondLimit, type RateLimits } from '#engines/rate-limit';
import { type Clock, epochSeconds, InvalidRequest, sha256Base64url } from '#kernel';
import { type ClientKey, clientKeysIn, keyDigest } from '#domain/relying-party';

import { InvalidDpopProof } from '../domain/oauth-error.js';

/** Characters: three times as long as a proof by an RSA key of 4096 bits. */
const LONGEST = 4_000;
/** Characters of a `jti`. */
const LONGEST_ID = 255;
/** Seconds that `iat` may lie from the service's time. */
const TOLERANCE = 60;
/** Each proof is taken once; it is refused for its age before it is forgotten. */
const ONCE = { name: 'dpop-proofs', times: 1, seconds: 2 * (TOLERANCE + 1) } as const;

/** What a proof has to name. */
export interface ProvedCall {
  readonly method: string;
  /** Of the endpoint, without a query. */
  readonly url: string;
  /** The access token that comes with the proof. */
  readonly accessToken?: string | undefined;
}

export interface DpopProofsParts {
  readonly rateLimits: Pick<RateLimits, 'take'>;
  readonly clock: Clock;
}

/** Judges the proofs of the header `DPoP` (RFC 9449 section 4.3). There are no nonces of the service: a proof counts for a minute, and once over all replicas. */
export class DpopProofs {
  constructor(private readonly parts: DpopProofsParts) {}

  /** The thumbprint (RFC 7638) of the key that has signed the proof of this call. Throws {@link InvalidDpopProof}. */
  async check(proof: string, call: ProvedCall): Promise<string> {
    const key = keyIn(proof);
    const jkt = keyDigest(key);
    const id = await this.#idOf(proof, key, call);
    const repeated = await beyondLimit(this.parts.rateLimits.take(ONCE, `${jkt} ${id}`, 'the proof was used before'));
    if (repeated) throw new InvalidDpopProof(repeated.reason);
    return jkt;
  }

  /** The `jti` of a proof that keeps the rules. */
  async #idOf(proof: string, key: ClientKey, { method, url, accessToken }: ProvedCall): Promise<string> {
    const now = this.parts.clock.now();
    const { htm, htu, iat, jti, ath } = await verified(proof, key, now);
    if (htm !== method || addressOf(htu) !== addressOf(url)) throw new InvalidDpopProof('the proof is for another call');
    if (typeof iat !== 'number' || Math.abs(epochSeconds(now) - iat) > TOLERANCE) throw new InvalidDpopProof('the proof was made at another time');
    if (typeof jti !== 'string' || jti === '' || jti.length > LONGEST_ID) throw new InvalidDpopProof('the proof has no jti');
    if (accessToken !== undefined && ath !== sha256Base64url(accessToken)) throw new InvalidDpopProof('the proof is for another access token');
    return jti;
  }
}

/** The key in the header, by the rules of registered keys. */
const keyIn = (proof: string): ClientKey => {
  if (proof.length > LONGEST) throw new InvalidDpopProof('the proof is too long');
  try {
    const { jwk } = decodeProtectedHeader(proof);
    // It needs no id of its own.
    const [key] = clientKeysIn({ keys: [{ ...jwk, kid: 'proof' }] }).keys;
    if (key) return key;
  } catch (error) {
    throw new InvalidDpopProof(
      error instanceof InvalidRequest ? 'jwk is no public key on P-256 or RSA key of 2048 to 4096 bits' : 'the proof is no JWT',
    );
  }
  throw new InvalidDpopProof('the proof has no jwk');
};

const verified = async (proof: string, key: ClientKey, now: number): Promise<Readonly<Record<string, unknown>>> => {
  try {
    const options = { typ: 'dpop+jwt', algorithms: [key.kty === 'EC' ? 'ES256' : 'PS256'], currentDate: new Date(now) };
    return (await jwtVerify(proof, createPublicKey({ key, format: 'jwk' }), options)).payload;
  } catch {
    throw new InvalidDpopProof('the proof is not signed by its key, with PS256 or ES256, as dpop+jwt');
  }
};

/** RFC 9449 section 4.3: without query and fragment, in the normal form of URLs. */
const addressOf = (url: unknown): string | undefined => {
  const parsed = typeof url === 'string' ? URL.parse(url) : null;
  return parsed ? `${parsed.origin}${parsed.pathname}` : undefined;
};
