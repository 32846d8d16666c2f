import { type KeyObject, sign, verify } from 'node:crypto';

import { type DerNode, nul, oid, sequence, TAG } from '../der/der.js';
import type { DerReader } from '../der/der-reader.js';
import { MalformedDer } from '../der/malformed-der.js';
import { OID } from '../der/oids.js';

export type HashName = 'sha256' | 'sha384' | 'sha512';

/** RFC 7518 names of the algorithms that signing keys use; the key's type decides (specification/signing.md#keys-and-algorithms). */
export type SignatureAlgorithm = 'ES256' | 'ES384' | 'RS512';

const HASH_OIDS: Readonly<Record<HashName, string>> = { sha256: OID.sha256, sha384: OID.sha384, sha512: OID.sha512 };

export interface SignatureScheme {
  /** Node's name of the key's type. */
  readonly key: 'ec' | 'rsa';
  readonly hash: HashName;
}

/** By their object identifiers. */
const SCHEMES: Readonly<Record<string, SignatureScheme>> = {
  [OID.ecdsaWithSha256]: { key: 'ec', hash: 'sha256' },
  [OID.ecdsaWithSha384]: { key: 'ec', hash: 'sha384' },
  [OID.ecdsaWithSha512]: { key: 'ec', hash: 'sha512' },
  [OID.sha256WithRsa]: { key: 'rsa', hash: 'sha256' },
  [OID.sha384WithRsa]: { key: 'rsa', hash: 'sha384' },
  [OID.sha512WithRsa]: { key: 'rsa', hash: 'sha512' },
};

/** The scheme of that object identifier; undefined for an outdated scheme or an unknown one. */
export const signatureScheme = (type: string): SignatureScheme | undefined => SCHEMES[type];

/** RFC 5754 §2: the parameters are absent. */
export const digestAlgorithm = (hash: HashName): DerNode => sequence(oid(HASH_OIDS[hash]));

/** RFC 5754 §3: none for ECDSA, NULL for RSA. */
export const signatureAlgorithm = (key: KeyObject, hash: HashName): DerNode => {
  const found = Object.entries(SCHEMES).find(([, scheme]) => scheme.key === key.asymmetricKeyType && scheme.hash === hash);
  if (!found) throw new TypeError(`no signature algorithm for ${key.asymmetricKeyType} with ${hash}`);
  return key.asymmetricKeyType === 'rsa' ? sequence(oid(found[0]), nul()) : sequence(oid(found[0]));
};

/** An AlgorithmIdentifier whose parameters are absent or NULL. */
const readIdentifier = (reader: DerReader): string => {
  const fields = reader.fields();
  const type = fields.take().oid();
  fields.maybe(TAG.nul);
  fields.end();
  return type;
};

/** The hash that an AlgorithmIdentifier names. Throws {@link MalformedDer} for any other, SHA-1 included. */
export const readHash = (reader: DerReader): HashName => {
  const type = readIdentifier(reader);
  const found = (Object.keys(HASH_OIDS) as HashName[]).find((hash) => HASH_OIDS[hash] === type);
  if (!found) throw new MalformedDer('hash algorithm that is not SHA-256, SHA-384 or SHA-512');
  return found;
};

/** Whether the signature over `data` verifies under the algorithm named. `digest`: the hash that CMS names beside it. */
export const verifies = (
  algorithm: DerReader,
  { data, key, signature, digest }: { data: Buffer; key: KeyObject; signature: Buffer; digest?: HashName },
): boolean => {
  const type = readIdentifier(algorithm);
  const scheme = type === OID.rsaEncryption && digest ? { key: 'rsa', hash: digest } : SCHEMES[type];
  if (!scheme || scheme.key !== key.asymmetricKeyType || (digest && digest !== scheme.hash)) return false;
  return verify(scheme.hash, data, key, signature);
};

/** Signs with the hash given; ECDSA in DER. */
export const signWith = (key: KeyObject, hash: HashName, data: Buffer): Buffer => sign(hash, data, key);
