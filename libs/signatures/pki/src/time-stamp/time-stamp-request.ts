import { hash as digestOf } from 'node:crypto';

import type { Randomness } from '#kernel';

import { digestAlgorithm, readHash } from '../cms/algorithms.js';
import type { HashName } from '../cms/signature-scheme.js';
import { boolean, encode, integer, octetString, oid, sequence, TAG } from '../der/der.js';
import { DerReader } from '../der/der-reader.js';
import { MalformedDer } from '../der/malformed-der.js';

/** The contents of a time-stamp request (RFC 3161 §2.4.1). */
export interface TimeStampRequest {
  readonly hash: HashName;
  readonly imprint: Buffer;
  /** Object identifier of the policy wanted; absent: the unit's own. */
  readonly policy?: string | undefined;
  /** Content octets of a non-negative INTEGER. */
  readonly nonce?: Buffer | undefined;
  /** Whether the unit's certificate shall come with the token. */
  readonly certificateRequested: boolean;
}

export const MAX_TIME_STAMP_BYTES = 64 * 1024;
const HASH_BYTES: Readonly<Record<HashName, number>> = { sha256: 32, sha384: 48, sha512: 64 };

export const encodeTimeStampRequest = (request: TimeStampRequest): Buffer =>
  encode(
    sequence(
      integer(1),
      sequence(digestAlgorithm(request.hash), octetString(request.imprint)),
      ...(request.policy ? [oid(request.policy)] : []),
      ...(request.nonce ? [integer(request.nonce)] : []),
      ...(request.certificateRequested ? [boolean(true)] : []),
    ),
  );

/** Throws {@link MalformedDer}; extensions are refused, since none is known. */
export const readTimeStampRequest = (der: Uint8Array): TimeStampRequest => {
  const fields = DerReader.parse(der, MAX_TIME_STAMP_BYTES).fields();
  if (fields.take().small() !== 1) throw new MalformedDer('version of the time-stamp request');
  const { hash, imprint } = readImprint(fields.take());
  const policy = fields.maybe(TAG.oid)?.oid();
  const nonce = fields.maybe(TAG.integer)?.integer();
  const certificateRequested = fields.maybe(TAG.boolean)?.boolean() ?? false;
  fields.end();
  return { hash, imprint, policy, nonce, certificateRequested };
};

export const readImprint = (reader: DerReader): { readonly hash: HashName; readonly imprint: Buffer } => {
  const fields = reader.fields();
  const hash = readHash(fields.take());
  const imprint = fields.take().octets();
  fields.end();
  if (imprint.length !== HASH_BYTES[hash]) throw new MalformedDer('imprint of another length than its hash');
  return { hash, imprint };
};

/** 8 random bytes as the content octets of a positive INTEGER of always that length. */
export const newNonce = (randomness: Randomness): Buffer => {
  const nonce = randomness.bytes(8);
  nonce[0] = ((nonce[0] ?? 0) & 0x3f) | 0x40;
  return nonce;
};

export const imprintOf = (hash: HashName, data: Uint8Array): Buffer => digestOf(hash, data, 'buffer');
