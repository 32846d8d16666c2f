import type { KeyObject } from 'node:crypto';

import { RecentlyUsed, sha256Base64url } from '#kernel';

import type { SignatureScheme } from './signature-scheme.js';

/** A signature, and what it was made over. */
export interface MadeSignature {
  readonly data: Buffer;
  readonly key: KeyObject;
  readonly signature: Buffer;
}

/** The number of remembered signatures. Each takes a digest, some 150 bytes. */
const REMEMBERED = 2000;
/** Longer contents, such as lists of revoked certificates, are hashed once only. */
const LONGEST_CONTENT = 64 * 1024;

const right = new RecentlyUsed<string, true>(REMEMBERED);
const numbers = new WeakMap<KeyObject, number>();
let lastNumber = 0;

/**
 * Whether the signature is right, by `verify` or by an earlier call. A signature that is right once stays right: a service checks the time-stamp and the
 * OCSP response when it receives them, and again in the finished container. The check of a wrong signature is computed each time.
 */
export const isRightSignature = (scheme: SignatureScheme, made: MadeSignature, verify: () => boolean): boolean => {
  if (made.data.length > LONGEST_CONTENT) return verify();
  const digest = digestOf(scheme, made);
  if (right.get(digest)) return true;
  const isRight = verify();
  if (isRight) right.set(digest, true);
  return isRight;
};

const digestOf = ({ key: type, hash, saltLength }: SignatureScheme, { data, key, signature }: MadeSignature): string => {
  const terms = [numberOf(key), type, hash, saltLength ?? '', signature.length, ''].join('.');
  return sha256Base64url(Buffer.concat([Buffer.from(terms), signature, data]));
};

const numberOf = (key: KeyObject): number => {
  let number = numbers.get(key);
  if (number === undefined) {
    lastNumber += 1;
    number = lastNumber;
    numbers.set(key, number);
  }
  return number;
};
