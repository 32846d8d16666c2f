import { nodeHash } from './merkle-hashes.js';

export interface Inclusion {
  readonly index: number;
  readonly size: number;
  /** The hash of the leaf. */
  readonly leaf: Buffer;
  readonly root: Buffer;
  readonly proof: readonly Buffer[];
}

/** Whether the proof shows that the tree with this root has the leaf at this index (RFC 9162 §2.1.3.2). */
export const isIncluded = ({ index, size, leaf, root, proof }: Inclusion): boolean => {
  if (!(index >= 0 && index < size)) return false;
  let [node, last] = [index, size - 1];
  let hash = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(sibling, hash);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      hash = nodeHash(hash, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && hash.equals(root);
};

export interface Consistency {
  readonly from: { readonly size: number; readonly root: Buffer };
  readonly to: { readonly size: number; readonly root: Buffer };
  readonly proof: readonly Buffer[];
}

/** Whether the proof shows that the second tree begins with the first one, which has at least one leaf (RFC 9162 §2.1.4.2). */
export const isConsistent = ({ from, to, proof }: Consistency): boolean => {
  if (!(from.size > 0 && from.size <= to.size)) return false;
  if (from.size === to.size) return proof.length === 0 && from.root.equals(to.root);
  const path = Number.isInteger(Math.log2(from.size)) ? [from.root, ...proof] : proof;
  const [first] = path;
  if (!first || proof.length === 0) return false;
  let [node, last] = [from.size - 1, to.size - 1];
  while (node % 2 === 1) [node, last] = [half(node), half(last)];
  let [before, after] = [first, first];
  for (const sibling of path.slice(1)) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      [before, after] = [nodeHash(sibling, before), nodeHash(sibling, after)];
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      after = nodeHash(after, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && before.equals(from.root) && after.equals(to.root);
};

const half = (number: number): number => Math.floor(number / 2);
