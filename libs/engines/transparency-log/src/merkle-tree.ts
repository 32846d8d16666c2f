import { EMPTY_ROOT, HASH_LENGTH, nodeHash, splitOf } from './merkle-hashes.js';

/** Leaves of a tile: the hash of each full one is kept, so that a root or a proof over a million leaves takes some four thousand hashes. */
const TILE = 256;

/** The Merkle tree of RFC 6962 over the hashes of leaves, which are only ever appended. In memory: 32 bytes a leaf, and an eighth of a byte more. */
export class MerkleTree {
  /** Each with the hashes of {@link TILE} leaves. */
  readonly #tiles: Buffer[] = [];
  /** The hash over each full tile. */
  readonly #tops: Buffer[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  append(hash: Buffer): void {
    const place = this.#size % TILE;
    const tile = place === 0 ? Buffer.alloc(TILE * HASH_LENGTH) : (this.#tiles.at(-1) as Buffer);
    if (place === 0) this.#tiles.push(tile);
    tile.set(hash, place * HASH_LENGTH);
    this.#size += 1;
    if (place === TILE - 1) this.#tops.push(this.#within(this.#size - TILE, TILE));
  }

  /** The hash of the leaf. Throws a RangeError for an index that the tree has not got. */
  leaf(index: number): Buffer {
    const tile = this.#tiles[Math.floor(index / TILE)];
    if (!tile || index >= this.#size) throw new RangeError(`the tree has no leaf ${index}`);
    const from = (index % TILE) * HASH_LENGTH;
    return tile.subarray(from, from + HASH_LENGTH);
  }

  /** The root over the first `size` leaves. Default: over all. */
  root(size = this.#size): Buffer {
    this.#require(size);
    return size === 0 ? EMPTY_ROOT : this.#range(0, size);
  }

  /** That the leaf lies in the tree of `size` leaves (RFC 6962 §2.1.1). Throws a RangeError. */
  inclusionProof(index: number, size = this.#size): readonly Buffer[] {
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
  consistencyProof(from: number, size = this.#size): readonly Buffer[] {
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
    if (!(Number.isSafeInteger(size) && size >= 0 && size <= this.#size)) throw new RangeError(`the tree has ${this.#size} leaves, not ${size}`);
  }

  #range(start: number, count: number): Buffer {
    if (count === TILE && start % TILE === 0) return this.#tops[start / TILE] as Buffer;
    return this.#within(start, count);
  }

  #within(start: number, count: number): Buffer {
    if (count === 1) return this.leaf(start);
    const split = splitOf(count);
    return nodeHash(this.#range(start, split), this.#range(start + split, count - split));
  }
}
