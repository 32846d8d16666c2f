import { sha256 } from '#kernel';

/** Bytes of a hash. */
export const HASH_LENGTH = 32;

const LEAF = '\0';

/** What is hashed for a node. A start hashes a node for each leaf: one piece of memory for all of them costs half as much as one for each. */
const node = Buffer.alloc(1 + 2 * HASH_LENGTH, 1);

/** The hash of a leaf (RFC 6962 §2.1). */
export const leafHash = (leaf: string): Buffer => sha256(LEAF + leaf);

/** The hash of a node over two hashes (RFC 6962 §2.1). */
export const nodeHash = (left: Buffer, right: Buffer): Buffer => {
  node.set(left, 1);
  node.set(right, 1 + HASH_LENGTH);
  return sha256(node);
};

/** The root of a tree without leaves (RFC 6962 §2.1). */
export const EMPTY_ROOT = sha256('');

/** The largest power of two below the number, which is at least 2. */
export const splitOf = (count: number): number => {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
};
