import type { LeafRange } from './acceptances.js';
import type { KnownLeaf, LogHead } from './known-leaf.js';
import { type Leaf, leafText } from './leaf.js';
import { leafHash } from './merkle-hashes.js';
import { MerkleTree } from './merkle-tree.js';

/** Characters of the digest of a stream's name by which it is looked up: 96 bits. */
const KEY_LENGTH = 16;

/** The leaves of the history in memory, by stream: some 60 bytes each, and about 100 a stream. */
export class KnownLeaves {
  readonly tree = new MerkleTree();
  readonly #revisions: number[] = [];
  /** Of the leaf before it of the same stream, -1 of the first one. */
  readonly #before: number[] = [];
  readonly #last = new Map<string, number>();
  /** Ends of streams that were announced, by the key of the stream. */
  readonly #ends = new Map<string, KnownLeaf>();
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
    if (!this.#isLost(index)) this.#last.set(key, index);
    if (before < 0) this.#categories.set(key, leaf.category);
    this.#before.push(before);
    this.#revisions.push(leaf.revision);
    this.tree.append(leafHash(text));
  }

  /** Takes the newest leaves of some streams, which a checkpoint names, for as long as the leaves up to them are not known. */
  announce(heads: readonly LogHead[]): void {
    for (const { stream, index, revision, hash } of heads) if (!this.#isLost(index)) this.#ends.set(this.keyOf(stream), { index, revision, hash });
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
    const key = this.keyOf(stream);
    return this.#last.has(key) || this.#ends.has(key);
  }

  /** The leaf of this stream and revision. */
  find(leaf: Pick<Leaf, 'stream' | 'revision'>): KnownLeaf | undefined {
    const [known] = this.of(leaf.stream, leaf.revision);
    return known?.revision === leaf.revision ? known : undefined;
  }

  /** The leaves of a stream up to a revision, the newest first. Default: all of them. */
  *of(stream: string, most = Infinity): Generator<KnownLeaf> {
    const key = this.keyOf(stream);
    const end = this.#ends.get(key);
    if (end && end.index >= this.size && end.revision <= most) yield end;
    let index = this.#last.get(key) ?? -1;
    while (index >= 0 && (this.#revisions[index] as number) > most) index = this.#before[index] as number;
    while (index >= 0) {
      yield { index, revision: this.#revisions[index] as number, hash: this.tree.leaf(index) };
      index = this.#before[index] as number;
    }
  }
  #isLost(index: number): boolean {
    return this.lost.some(([first, last]) => index >= first && index <= last);
  }
}
