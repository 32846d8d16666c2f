import { createPublicKey, type JsonWebKey } from 'node:crypto';

import { InvalidRequest, parsedJson, sha256Base64url } from '#kernel';

/** A public key with which a client signs its assertions (RFC 7517, RFC 7523): RSA of 2048 to 4096 bits, or P-256. */
export type ClientKey =
  | { readonly kty: 'RSA'; readonly kid: string; readonly n: string; readonly e: 'AQAB' }
  | { readonly kty: 'EC'; readonly kid: string; readonly crv: 'P-256'; readonly x: string; readonly y: string };

/** A JWK Set. Empty: the client proves itself by its secret alone. */
export type ClientKeys = { readonly keys: readonly ClientKey[] };

/** Two serve a rotation; a large client has one for each of its machines. */
export const MOST_CLIENT_KEYS = 10;

/** Of a document; the others are not looked at. */
const MOST_PUBLISHED_KEYS = 100;

const KID = /^[\x21-\x7e]{1,100}$/;
/** Base64url of 256 to 512 bytes. */
const MODULUS = /^[A-Za-z0-9_-]{342,683}$/;
/** Base64url of 32 bytes. */
const COORDINATE = /^[A-Za-z0-9_-]{43}$/;
/** RFC 7518 section 6: members that only a private or a symmetric key has. */
const PRIVATE = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** The keys of a field `jwks`, without the members that say nothing here. Throws {@link InvalidRequest}, which names the key. */
export const clientKeysIn = (value: unknown): ClientKeys => {
  const keys = keysOf(value);
  if (!keys) throw new InvalidRequest('`jwks` must be a JWK Set: an object with `keys`.');
  if (keys.length > MOST_CLIENT_KEYS) throw new InvalidRequest(`\`jwks\` must have at most ${MOST_CLIENT_KEYS} keys.`);
  const read = keys.map(keyIn);
  read.forEach(({ kid }, index) => {
    if (read.findIndex((other) => other.kid === kid) < index) throw refused(index, 'has the `kid` of another key');
  });
  return { keys: read };
};

/**
 * The keys that a client publishes at its `jwks_uri`, of which it has others as well: what is no key for assertions is left out, and so is whatever is beyond the first
 * {@link MOST_CLIENT_KEYS} of them. Undefined where the text is no JWK Set.
 */
export const publishedKeysIn = (text: string): readonly ClientKey[] | undefined => {
  const keys = keysOf(parsedJson(text));
  if (!keys) return undefined;
  return keys.slice(0, MOST_PUBLISHED_KEYS).flatMap(usableKeyIn).slice(0, MOST_CLIENT_KEYS);
};

/** The thumbprint of RFC 7638, base64url: the same for the same key in every program. */
export const keyDigest = (key: ClientKey): string => {
  const members = key.kty === 'RSA' ? { e: key.e, kty: key.kty, n: key.n } : { crv: key.crv, kty: key.kty, x: key.x, y: key.y };
  return sha256Base64url(JSON.stringify(members));
};

const keysOf = (value: unknown): readonly unknown[] | undefined => {
  const keys = isObject(value) ? value['keys'] : undefined;
  return Array.isArray(keys) ? keys : undefined;
};

const usableKeyIn = (value: unknown, index: number): readonly ClientKey[] => {
  try {
    return [keyIn(value, index)];
  } catch (error) {
    if (error instanceof InvalidRequest) return [];
    throw error;
  }
};

const keyIn = (value: unknown, index: number): ClientKey => {
  if (!isObject(value)) throw refused(index, 'must be a JWK');
  if (PRIVATE.some((member) => Object.hasOwn(value, member))) throw refused(index, 'is a private key: send its public half');
  const { kid, use = 'sig' } = value;
  if (typeof kid !== 'string' || !KID.test(kid)) throw refused(index, 'needs a `kid` of 1 to 100 visible characters');
  if (use !== 'sig') throw refused(index, 'must be for signatures');
  const key = { ...rsaIn(value), ...p256In(value), kid } as ClientKey;
  if (!isUsable(key)) throw refused(index, 'must be an RSA key of 2048 to 4096 bits with the exponent AQAB, or an EC key on P-256');
  return key;
};

const rsaIn = ({ kty, n, e }: Readonly<Record<string, unknown>>): object =>
  kty === 'RSA' && e === 'AQAB' && typeof n === 'string' && MODULUS.test(n) ? { kty, n, e } : {};

const p256In = ({ kty, crv, x, y }: Readonly<Record<string, unknown>>): object =>
  kty === 'EC' && crv === 'P-256' && [x, y].every((part) => typeof part === 'string' && COORDINATE.test(part)) ? { kty, crv, x, y } : {};

/** OpenSSL refuses a point that does not lie on the curve. */
const isUsable = (key: ClientKey): boolean => {
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key: key as JsonWebKey, format: 'jwk' });
    const bits = asymmetricKeyDetails?.modulusLength ?? 2_048;
    return bits >= 2_048 && bits <= 4_096;
  } catch {
    return false;
  }
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

const refused = (index: number, fault: string): InvalidRequest => new InvalidRequest(`\`jwks.keys[${index}]\` ${fault}.`);
