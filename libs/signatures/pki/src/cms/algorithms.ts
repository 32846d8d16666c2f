import { constants, type KeyObject, sign, verify } from 'node:crypto';

import { type DerNode, nul, oid, sequence, TAG } from '../der/der.js';
import type { DerReader } from '../der/der-reader.js';
import { MalformedDer } from '../der/malformed-der.js';
import { OID } from '../der/oids.js';
import { schemeStrongUntil } from './cryptographic-constraints.js';
import type { HashName, SignatureScheme } from './signature-scheme.js';
import { isRightSignature, type MadeSignature } from './verified-signatures.js';

/** RFC 7518 names of the algorithms that signing keys use; the key's type decides (specification/signing.md#keys-and-algorithms). */
export type SignatureAlgorithm = 'ES256' | 'ES384' | 'RS512';

const HASH_OIDS: Readonly<Record<HashName, string>> = { sha256: OID.sha256, sha384: OID.sha384, sha512: OID.sha512 };

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

/** The scheme of an AlgorithmIdentifier; undefined for an outdated one (MD5, SHA-1) or an unknown one. Throws {@link MalformedDer}. */
export const readScheme = (reader: DerReader): SignatureScheme | undefined => {
  const fields = reader.fields();
  if (fields.take().oid() === OID.rsassaPss) {
    const parameters = fields.maybe(TAG.sequence);
    fields.end();
    return parameters && readPss(parameters);
  }
  return SCHEMES[readIdentifier(reader)];
};

/** RFC 4055 §3.1. The defaults are SHA-1, so hash and mask must be named, and the mask must use the same hash, as everyone writes it. */
const readPss = (parameters: DerReader): SignatureScheme | undefined => {
  const fields = parameters.fields();
  const hash = fields.maybe(TAG.constructed(0))?.only(TAG.constructed(0));
  const mask = fields.maybe(TAG.constructed(1))?.only(TAG.constructed(1)).fields();
  const saltLength = fields.maybe(TAG.constructed(2))?.only(TAG.constructed(2)).small() ?? 20;
  const trailer = fields.maybe(TAG.constructed(3))?.only(TAG.constructed(3)).small() ?? 1;
  fields.end();
  const name = hash && findHash(hash);
  if (!name || !mask || mask.take().oid() !== OID.mgf1 || findHash(mask.take()) !== name || trailer !== 1) return undefined;
  return { key: 'rsa', hash: name, saltLength };
};

/** RFC 5754 §2: the parameters are absent. */
export const digestAlgorithm = (hash: HashName): DerNode => sequence(oid(HASH_OIDS[hash]));

/** RFC 5754 §3: none for ECDSA, NULL for RSA. */
export const signatureAlgorithm = (key: KeyObject, hash: HashName): DerNode => {
  const found = Object.entries(SCHEMES).find(([, scheme]) => scheme.key === key.asymmetricKeyType && scheme.hash === hash);
  if (!found) throw new TypeError(`no signature algorithm for ${key.asymmetricKeyType} with ${hash}`);
  return key.asymmetricKeyType === 'rsa' ? sequence(oid(found[0]), nul()) : sequence(oid(found[0]));
};

/** Until when a signature by that algorithm counts (epoch milliseconds): `-Infinity` for an outdated or unknown one. Throws {@link MalformedDer}. */
export const algorithmStrongUntil = (algorithm: DerReader): number => {
  const scheme = algorithm.fields().take().oid() === OID.rsaEncryption ? PLAIN_RSA : readScheme(algorithm);
  if (!scheme) return -Infinity;
  const padding = scheme.saltLength === undefined ? 'rsa-pkcs1' : 'rsa-pss';
  return schemeStrongUntil(scheme.key === 'ec' ? 'ecdsa' : padding);
};

/** Whether a signature by that algorithm counted at that moment (epoch milliseconds): an outdated or unknown one never does. Throws {@link MalformedDer}. */
export const isStrongAlgorithm = (algorithm: DerReader, at: number): boolean => at < algorithmStrongUntil(algorithm);

/** In CMS the hash of a plain RSA signature stands beside the algorithm. */
const PLAIN_RSA = { key: 'rsa', saltLength: undefined } as const;

/** An AlgorithmIdentifier whose parameters are absent or NULL. */
const readIdentifier = (reader: DerReader): string => {
  const fields = reader.fields();
  const type = fields.take().oid();
  fields.maybe(TAG.nul);
  fields.end();
  return type;
};

/** The hash that an AlgorithmIdentifier names; undefined for any other than SHA-256, SHA-384 and SHA-512. Throws {@link MalformedDer}. */
export const findHash = (reader: DerReader): HashName | undefined => {
  const type = readIdentifier(reader);
  return (Object.keys(HASH_OIDS) as HashName[]).find((hash) => HASH_OIDS[hash] === type);
};

/** The hash that an AlgorithmIdentifier names. Throws {@link MalformedDer} for any other, SHA-1 included. */
export const readHash = (reader: DerReader): HashName => {
  const found = findHash(reader);
  if (!found) throw new MalformedDer('hash algorithm that is not SHA-256, SHA-384 or SHA-512');
  return found;
};

/** Whether the signature over `data` verifies under the algorithm named. `digest`: the hash that CMS names beside it. */
export const verifies = (algorithm: DerReader, { data, key, signature, digest }: MadeSignature & { readonly digest?: HashName }): boolean => {
  const plainRsa = digest && algorithm.fields().take().oid() === OID.rsaEncryption;
  const scheme: SignatureScheme | undefined = plainRsa ? { key: 'rsa', hash: digest } : readScheme(algorithm);
  if (!scheme || (digest && digest !== scheme.hash)) return false;
  return verifiesUnder(scheme, { data, key, signature });
};

/** Whether the signature over `data` verifies under the scheme. ECDSA in DER. */
export const verifiesUnder = (scheme: SignatureScheme, made: MadeSignature): boolean => isRightSignature(scheme, made, () => computes(scheme, made));

const computes = ({ key: type, hash, saltLength }: SignatureScheme, { data, key, signature }: MadeSignature): boolean => {
  const isPss = saltLength !== undefined;
  // a key of the type rsa-pss is for that padding alone (RFC 4055 §1.2)
  if (key.asymmetricKeyType !== type && !(isPss && key.asymmetricKeyType === 'rsa-pss')) return false;
  try {
    return verify(hash, data, isPss ? { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength } : key, signature);
  } catch {
    return false; // OpenSSL refuses the key, or its own parameters forbid hash or salt
  }
};

/** Signs with the hash given; ECDSA in DER. */
export const signWith = (key: KeyObject, hash: HashName, data: Buffer): Buffer => sign(hash, data, key);
