import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

import { type Clock, type RingKey, ServiceUnavailable } from '#kernel';
import { ID_TOKEN_ALGORITHMS, type IdTokenAlgorithm } from '#domain/relying-party';

/** A key of `openid.json`: a JWK Set of two private keys, RSA and P-256. */
export interface SigningPair extends RingKey {
  /** From then on it signs. Epoch milliseconds. */
  readonly notBefore: number;
}

/** The ring of `openid.json`. */
export interface SigningRing {
  all(): readonly SigningPair[];
}

export interface IdTokenKey {
  readonly kid: string;
  readonly alg: IdTokenAlgorithm;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** How long a former key is still published, in milliseconds: no ID token of it lasts longer, and relying parties keep copies of the set. */
const PUBLISHED_AFTER = 86_400_000;

/** The keys that sign ID tokens, by the times of their ring. */
export class SigningKeys {
  /** The key objects of each pair, made once. A pair that was removed takes them along. */
  readonly #made = new WeakMap<SigningPair, readonly IdTokenKey[]>();

  constructor(
    /** Undefined in a guarded environment without `openid.json`. */
    private readonly ring: SigningRing | undefined,
    private readonly clock: Clock,
  ) {}

  /** The key that signs now. Throws ServiceUnavailable where the service has none. */
  current(alg: IdTokenAlgorithm): IdTokenKey {
    const key = this.ofNow(alg);
    if (!key) throw new ServiceUnavailable('KEY_DIR has no openid.json');
    return key;
  }

  /** The same. Undefined where the service has none. */
  ofNow(alg: IdTokenAlgorithm): IdTokenKey | undefined {
    const now = this.clock.now();
    const newest = this.#newestFirst().find(({ notBefore }) => notBefore <= now);
    return newest && this.#keysOf(newest).find((each) => each.alg === alg);
  }

  /** The public keys of RFC 7517: those to come, that of now, and the former ones for a day. */
  published(): readonly JsonWebKey[] {
    const now = this.clock.now();
    const newestFirst = this.#newestFirst();
    const isOver = (index: number): boolean => (newestFirst[index - 1]?.notBefore ?? Infinity) + PUBLISHED_AFTER <= now;
    const keys = newestFirst.filter((_, index) => !isOver(index)).flatMap((pair) => this.#keysOf(pair));
    return keys.map(({ kid, alg, publicKey }) => ({ ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' }));
  }

  /** A key of the ring by its id, also one that is published no more: clients keep ID tokens as hints for longer. */
  find(kid: string | undefined): IdTokenKey | undefined {
    return this.#newestFirst()
      .flatMap((pair) => this.#keysOf(pair))
      .find((key) => key.kid === kid);
  }

  #newestFirst(): readonly SigningPair[] {
    return (this.ring?.all() ?? []).toSorted((a, b) => b.notBefore - a.notBefore);
  }

  #keysOf(pair: SigningPair): readonly IdTokenKey[] {
    const known = this.#made.get(pair);
    if (known) return known;
    const { keys } = JSON.parse(pair.key.reveal().toString()) as { readonly keys: readonly [JsonWebKey, JsonWebKey] };
    const [rsa, ec] = keys.map((key) => createPrivateKey({ key, format: 'jwk' })) as [KeyObject, KeyObject];
    const made = ID_TOKEN_ALGORITHMS.map((alg) => {
      const privateKey = alg === 'ES256' ? ec : rsa;
      return { kid: `${pair.id}-${alg.toLowerCase()}`, alg, privateKey, publicKey: createPublicKey(privateKey) };
    });
    this.#made.set(pair, made);
    return made;
  }
}
