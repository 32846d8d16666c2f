import { HashList } from './hash-list.js';
import { EMPTY_ROOT, nodeHash, splitOf } from './merkle-hashes.js';

/** Leaves of a group. The hash over each full group is kept, and over each two, four, eight … of them, so that a root or a proof takes a few hashes for each level of the tree. */
const GROUP = 8;

/** The Merkle tree of RFC 6962 over the hashes of leaves, which are only ever appended. In memory: some 40 bytes a leaf. */
export class MerkleTree {
  readonly #leaves = new HashList();
  /** The hashes over full groups: of one group, of two, of four … */
  readonly #levels: HashList[] = [];

  constructor(
    /** The hash over two hashes. */
    private readonly node = nodeHash,
  ) {}

  get size(): number {
    return this.#leaves.size;
  }

  append(hash: Buffer): void {
    this.#leaves.append(hash);
    if (this.size % GROUP !== 0) return;
    let top = this.#within(this.size - GROUP, GROUP);
    for (let level = 0; ; level++) {
      const tops = (this.#levels[level] ??= new HashList());
      const before = tops.at(tops.size - 1);
      tops.append(top);
      if (tops.size % 2 === 1 || !before) return;
      top = this.node(before, top);
    }
  }

  /** The hash of the leaf. Throws a RangeError for an index that the tree has not got. */
  leaf(index: number): Buffer {
    const hash = this.#leaves.at(index);
    if (!hash) throw new RangeError(`the tree has no leaf ${index}`);
    return hash;
  }

  /** The root over the first `size` leaves. Default: over all. */
  root(size = this.size): Buffer {
    this.#require(size);
    return size === 0 ? EMPTY_ROOT : this.#range(0, size);
  }

  /** That the leaf lies in the tree of `size` leaves (RFC 6962 §2.1.1). Throws a RangeError. */
  inclusionProof(index: number, size = this.size): readonly Buffer[] {
    this.#require(size);
    if (!(index >= 0 && index < size)) throw new RangeError(`a tree of ${size} has no leaf ${index}`);
    const proof: Buffer[] = [];
    let [from, count] = [0, size];
    while (count > 1) {
      const split = splitOf(count);
      const isLeft = index < from + split;
      proof.push(isLeft ? this.#range(from + split, count - split) : this.#range(from, split));
      if (!isLeft) from += split;
      count = isLeft ? split : count - split;
    }
    return proof.toReversed();
  }

  /** That the tree of `size` leaves begins with the tree of `from` leaves (RFC 6962 §2.1.2). Throws a RangeError. */
  consistencyProof(from: number, size = this.size): readonly Buffer[] {
    this.#require(size);
    if (!(from > 0 && from <= size)) throw new RangeError(`no tree of ${from} leaves begins one of ${size}`);
    return from === size ? [] : this.#consistency(from, { start: 0, count: size }, true);
  }

  #consistency(from: number, { start, count }: { readonly start: number; readonly count: number }, isWhole: boolean): readonly Buffer[] {
    if (from === count) return isWhole ? [] : [this.#range(start, count)];
    const split = splitOf(count);
    if (from <= split) return [...this.#consistency(from, { start, count: split }, isWhole), this.#range(start + split, count - split)];
    return [...this.#consistency(from - split, { start: start + split, count: count - split }, false), this.#range(start, split)];
  }

  #require(size: number): void {
    if (!(Number.isSafeInteger(size) && size >= 0 && size <= this.size)) throw new RangeError(`the tree has ${this.size} leaves, not ${size}`);
  }

  /** Ranges whose length is a power of two begin at a multiple of it. */
  #range(start: number, count: number): Buffer {
    const level = Math.log2(count / GROUP);
    const kept = level >= 0 && Number.isInteger(level) ? this.#levels[level]?.at(start / count) : undefined;
    return kept ?? this.#within(start, count);
  }

  #within(start: number, count: number): Buffer {
    if (count === 1) return this.leaf(start);
    const split = splitOf(count);
    return this.node(this.#range(start, split), this.#range(start + split, count - split));
  }
}
