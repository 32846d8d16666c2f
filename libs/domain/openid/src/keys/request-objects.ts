import { createPublicKey } from 'node:crypto';

import { decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';

import { type Clock, epochSeconds } from '#kernel';
import { type Client, type ClientKey, FAPI_ALGORITHMS, ID_TOKEN_ALGORITHMS, provesByKeysAlone } from '#domain/relying-party';

import type { Parameters } from '../domain/authorization-request.js';
import { InvalidRequestObject, OAuthError } from '../domain/oauth-error.js';
import type { ClientKeySets } from './client-key-sets.js';
import { keyChoiceOf } from './key-choice.js';

/** Seconds that a request object may last (FAPI 2.0 Message Signing). */
const LIFE = 3_600;
/** Seconds that the clocks of client and service may differ. */
const TOLERANCE = 10;
/** RFC 9101 section 10.8: what else might pass for a request object has another type. */
const TYPES: ReadonlySet<string | undefined> = new Set(['oauth-authz-req+jwt', 'JWT', undefined]);
/** Claims of the JWT, which are no parameters. */
const OF_THE_JWT: ReadonlySet<string> = new Set(['iss', 'aud', 'exp', 'iat', 'nbf', 'jti']);

export interface RequestObjectsParts {
  readonly keySets: Pick<ClientKeySets, 'find'>;
  readonly clock: Clock;
  readonly issuer: string;
}

/** Requests that the client has signed (RFC 9101), by value. */
export class RequestObjects {
  constructor(private readonly parts: RequestObjectsParts) {}

  /** What the client has signed, of a call with a request object; the call itself without one. Throws {@link OAuthError}. */
  async signedOf(given: Parameters, client: Client): Promise<Parameters> {
    const object = given['request'];
    if (object !== undefined) return this.read(object, client);
    if (client.requireSignedRequestObject) throw new OAuthError('invalid_request', 'this client signs its requests: request is required');
    return given;
  }

  /** The parameters in the object, which replace all others of the call (RFC 9126 section 3). Throws {@link InvalidRequestObject}. */
  async read(object: string, client: Client): Promise<Parameters> {
    // OpenID Connect Discovery section 3 has servers take RS256; FAPI 2.0 forbids it.
    const algorithms = provesByKeysAlone(client) ? FAPI_ALGORITHMS : ID_TOKEN_ALGORITHMS;
    const choose = keyChoiceOf(object, algorithms);
    if (!choose || !TYPES.has(decodeProtectedHeader(object).typ))
      throw new InvalidRequestObject(`the request object must be a JWT by ${algorithms.join(' or ')}`);
    const key = await this.parts.keySets.find(client, choose);
    if (!key) throw new InvalidRequestObject('the request object is signed by no key of this client');
    const claims = await this.#verified(object, key, client);
    if (claims['client_id'] !== client.clientId) throw new InvalidRequestObject('client_id in the request object is another one');
    const forbidden = ['request', 'request_uri', 'sub'].find((name) => name in claims);
    if (forbidden !== undefined) throw new InvalidRequestObject(`the request object must not hold ${forbidden}`);
    const parameters = Object.entries(claims).filter(([name]) => !OF_THE_JWT.has(name));
    return Object.fromEntries(parameters.map(([name, value]) => [name, asText(name, value)]));
  }

  async #verified(object: string, key: ClientKey, { clientId, requireSignedRequestObject }: Client): Promise<JWTPayload> {
    const now = this.parts.clock.now();
    const options = {
      algorithms: key.kty === 'EC' ? ['ES256'] : ['PS256', 'RS256'],
      issuer: clientId,
      audience: this.parts.issuer,
      requiredClaims: ['exp', ...(requireSignedRequestObject ? ['nbf'] : [])],
      clockTolerance: TOLERANCE,
      currentDate: new Date(now),
    };
    const { payload } = await jwtVerify(object, createPublicKey({ key, format: 'jwk' }), options).catch(() => {
      throw new InvalidRequestObject('the request object is not signed by its key, over, early, or not for this provider');
    });
    const { exp = 0, nbf = exp - LIFE } = payload;
    const isShort = exp - nbf <= LIFE && nbf >= epochSeconds(now) - LIFE - TOLERANCE && exp <= epochSeconds(now) + LIFE + TOLERANCE;
    if (!isShort) throw new InvalidRequestObject('the request object lasts longer than an hour');
    return payload;
  }
}

/** RFC 9101 section 4: numbers and the object `claims` stand as JSON. */
const asText = (name: string, value: unknown): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (name === 'claims' && typeof value === 'object') return JSON.stringify(value);
  throw new InvalidRequestObject('a parameter in the request object must be a text or a number');
};
