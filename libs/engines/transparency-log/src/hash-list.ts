import { HASH_LENGTH } from './merkle-hashes.js';

/** Hashes of a piece of memory. */
const PIECE = 256;

/** Hashes that are only ever appended: 32 bytes each. */
export class HashList {
  readonly #pieces: Buffer[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  append(hash: Buffer): void {
    const place = this.#size % PIECE;
    if (place === 0) this.#pieces.push(Buffer.alloc(PIECE * HASH_LENGTH));
    this.#pieces.at(-1)?.set(hash, place * HASH_LENGTH);
    this.#size += 1;
  }

  /** Undefined for an index that the list has not got. */
  at(index: number): Buffer | undefined {
    if (!(index >= 0 && index < this.#size)) return undefined;
    const from = (index % PIECE) * HASH_LENGTH;
    return this.#pieces[Math.floor(index / PIECE)]?.subarray(from, from + HASH_LENGTH);
  }
}
