import type { LeafRange } from './acceptances.js';
import { type Leaf, leafText } from './leaf.js';
import { leafHash } from './merkle-hashes.js';
import { MerkleTree } from './merkle-tree.js';

/** A leaf as it is remembered. */
export interface KnownLeaf {
  readonly index: number;
  readonly revision: number;
  readonly hash: Buffer;
}

/** Characters of the digest of a stream's name by which it is looked up: 96 bits. */
const KEY_LENGTH = 16;

/** The leaves of the history in memory, by stream: some 60 bytes each, and about 100 a stream. */
export class KnownLeaves {
  readonly tree = new MerkleTree();
  readonly #revisions: number[] = [];
  /** Of the leaf before it of the same stream, -1 of the first one. */
  readonly #before: number[] = [];
  readonly #last = new Map<string, number>();
  /** Of each stream. */
  readonly #categories = new Map<string, string>();

  constructor(
    /** Leaves whose loss was accepted: no stream has them. */
    private readonly lost: readonly LeafRange[] = [],
  ) {}

  get size(): number {
    return this.tree.size;
  }

  /** `text`: of the leaf, where it is known already. */
  append(leaf: Leaf, text = leafText(leaf)): void {
    const key = this.keyOf(leaf.stream);
    const index = this.size;
    const before = this.#last.get(key) ?? -1;
    const isLost = this.lost.some(([first, last]) => index >= first && index <= last);
    if (!isLost) this.#last.set(key, index);
    if (before < 0) this.#categories.set(key, leaf.category);
    this.#before.push(before);
    this.#revisions.push(leaf.revision);
    this.tree.append(leafHash(text));
  }

  /** The beginning of the hash by which a stream is looked up. */
  keyOf(stream: string): string {
    return stream.slice(0, KEY_LENGTH);
  }

  /** The keys of all streams. */
  streams(): Set<string> {
    return new Set(this.#last.keys());
  }

  categoryOf(stream: string): string | undefined {
    return this.#categories.get(this.keyOf(stream));
  }

  /** Whether any leaf is of this stream. */
  has(stream: string): boolean {
    return this.#last.has(this.keyOf(stream));
  }

  /** The leaf of this stream and revision. */
  find(leaf: Pick<Leaf, 'stream' | 'revision'>): KnownLeaf | undefined {
    const [known] = this.of(leaf.stream, leaf.revision);
    return known?.revision === leaf.revision ? known : undefined;
  }

  /** The leaves of a stream up to a revision, the newest first. Default: all of them. */
  *of(stream: string, most = Infinity): Generator<KnownLeaf> {
    let index = this.#last.get(this.keyOf(stream)) ?? -1;
    while (index >= 0 && (this.#revisions[index] as number) > most) index = this.#before[index] as number;
    while (index >= 0) {
      yield { index, revision: this.#revisions[index] as number, hash: this.tree.leaf(index) };
      index = this.#before[index] as number;
    }
  }
}
