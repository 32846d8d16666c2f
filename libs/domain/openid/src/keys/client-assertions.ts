import { createPublicKey } from 'node:crypto';

import { decodeJwt, type JWTPayload, jwtVerify } from 'jose';

import { beyondLimit, type RateLimits } from '#engines/rate-limit';
import { type ClientId, type Clock, epochSeconds, parseId } from '#kernel';
import { type Client, type ClientKey, FAPI_ALGORITHMS, type FindClient, ID_TOKEN_ALGORITHMS, provesByKeysAlone } from '#domain/relying-party';

import type { ClientKeySets } from './client-key-sets.js';
import { keyChoiceOf } from './key-choice.js';

/** The type of an assertion (RFC 7523 section 2.2). */
export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Characters: three times as long as an assertion of an RSA key of 4096 bits with all members. */
const LONGEST = 4_000;
/** Characters of a `jti`. */
const LONGEST_ID = 255;
/** Seconds from its making, or from now, that an assertion may last. */
const LIFE = 60;
/** Seconds that the clocks of client and service may differ. */
const TOLERANCE = 10;
/** Each assertion is taken once; it is refused for its age before it is forgotten. */
const ONCE = { name: 'client-assertions', times: 1, seconds: 2 * (LIFE + TOLERANCE) } as const;

export interface ClientAssertionsParts {
  readonly findClient: Pick<FindClient, 'execute'>;
  readonly keySets: Pick<ClientKeySets, 'find'>;
  readonly rateLimits: Pick<RateLimits, 'take'>;
  readonly clock: Clock;
}

interface Expected {
  readonly key: ClientKey;
  readonly clientId: ClientId;
  readonly isForUs: (audience: string | readonly string[] | undefined) => boolean;
}

/** Authenticates clients by assertions of their own keys: `private_key_jwt` (OpenID Connect Core section 9, RFC 7523 section 3), and the same at the native interface. */
export class ClientAssertions {
  constructor(private readonly parts: ClientAssertionsParts) {}

  /**
   * The client that has signed the assertion. Undefined for every fault, and for an assertion that was used before. `audiences`: the values of `aud` that name the interface
   * that was called, the issuer first. One of another server among them means that the assertion is for that one too.
   */
  async execute(assertion: string, audiences: readonly string[]): Promise<Client | undefined> {
    const judged = await this.#judged(assertion, audiences, this.parts.clock.now());
    return judged && (await this.#isNew(`${judged.client.clientId} ${judged.id}`)) ? judged.client : undefined;
  }

  /**
   * Whether an assertion that {@link execute} has accepted would be accepted still, but for its age and its use: the client is enabled, and the key is one of its keys.
   */
  async stillStands(assertion: string, audiences: readonly string[]): Promise<boolean> {
    const madeAt = claimsOf(assertion)?.iat ?? (claimsOf(assertion)?.exp ?? 0) - LIFE;
    return (await this.#judged(assertion, audiences, madeAt * 1_000)) !== undefined;
  }

  /** The client, and the `jti`, of an assertion that keeps the rules at `now` (epoch milliseconds). */
  async #judged(assertion: string, audiences: readonly string[], now: number): Promise<{ readonly client: Client; readonly id: string } | undefined> {
    if (assertion.length > LONGEST) return undefined;
    const clientId = parseId<ClientId>(claimsOf(assertion)?.sub);
    const client = clientId && (await this.parts.findClient.execute(clientId));
    if (!client?.enabled) return undefined;
    const byKeysAlone = provesByKeysAlone(client);
    const choose = keyChoiceOf(assertion, byKeysAlone ? FAPI_ALGORITHMS : ID_TOKEN_ALGORITHMS);
    const key = choose && (await this.parts.keySets.find(client, choose));
    if (!key) return undefined;
    const isForUs = byKeysAlone ? isIssuer(audiences) : isAmong(audiences);
    const id = await this.#idOf(assertion, { key, clientId: client.clientId, isForUs }, now);
    return id === undefined ? undefined : { client, id };
  }

  /** The `jti` of an assertion that keeps the rules. */
  async #idOf(assertion: string, { key, clientId, isForUs }: Expected, now: number): Promise<string | undefined> {
    try {
      const algorithms = key.kty === 'EC' ? ['ES256'] : ['PS256', 'RS256'];
      const { payload } = await jwtVerify(assertion, createPublicKey({ key, format: 'jwk' }), {
        algorithms,
        issuer: clientId,
        subject: clientId,
        requiredClaims: ['exp', 'jti', 'aud'],
        clockTolerance: TOLERANCE,
        currentDate: new Date(now),
      });
      const { aud, exp = 0, iat = exp - LIFE, jti } = payload;
      const age = epochSeconds(now) - iat;
      const isOfNow = age >= -TOLERANCE && age < LIFE + TOLERANCE;
      return isForUs(aud) && isOfNow && typeof jti === 'string' && jti !== '' && jti.length <= LONGEST_ID ? jti : undefined;
    } catch {
      return undefined;
    }
  }

  async #isNew(id: string): Promise<boolean> {
    return (await beyondLimit(this.parts.rateLimits.take(ONCE, id, 'the assertion was used before'))) === undefined;
  }
}

/** Each audience is one of the interface. */
const isAmong =
  (audiences: readonly string[]): Expected['isForUs'] =>
  (audience = []) => {
    const named = [audience].flat();
    return named.length > 0 && named.every((each) => audiences.includes(each));
  };

/** FAPI 2.0 Security Profile section 5.3.2.1: the issuer alone, as a text. */
const isIssuer =
  ([issuer]: readonly string[]): Expected['isForUs'] =>
  (audience) =>
    audience === issuer;

/** What the assertion says, unproven. */
const claimsOf = (assertion: string): JWTPayload | undefined => {
  try {
    return decodeJwt(assertion);
  } catch {
    return undefined;
  }
};
