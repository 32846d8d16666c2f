import { sha256 } from '#kernel';

/** Bytes of a hash. */
export const HASH_LENGTH = 32;

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

/** The hash of a leaf (RFC 6962 §2.1). */
export const leafHash = (leaf: string): Buffer => sha256(Buffer.concat([LEAF, Buffer.from(leaf)]));

/** The hash of a node over two hashes (RFC 6962 §2.1). */
export const nodeHash = (left: Buffer, right: Buffer): Buffer => sha256(Buffer.concat([NODE, left, right]));

/** The root of a tree without leaves (RFC 6962 §2.1). */
export const EMPTY_ROOT = sha256('');

/** The largest power of two below the number, which is at least 2. */
export const splitOf = (count: number): number => {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
};
