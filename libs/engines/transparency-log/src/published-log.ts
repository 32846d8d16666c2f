import type { AnchorPlace } from './anchor-place.js';
import { type LogCheckpoint, parseCheckpoint } from './checkpoint.js';
import { BUNDLE, bundleBytes, bundlePath, leavesIn } from './leaf-bundles.js';
import { NoteRefused, type NoteVerifier, openNote } from './signed-note.js';
import { StampedCheckpoints } from './stamped-checkpoints.js';

/** Where the newest checkpoint lies (C2SP tlog-tiles). */
const CHECKPOINT = 'checkpoint';

/** Bundles that are read at the same time: a place may be far away, and a million leaves are some 4,000 bundles. */
const AT_ONCE = 8;

/** A checkpoint as it was signed. */
export interface SignedCheckpoint extends LogCheckpoint {
  readonly note: string;
}

/** What is to be published: the note, and all leaves from the beginning of a bundle on. */
export interface NextCheckpoint {
  readonly note: string;
  /** A multiple of {@link BUNDLE}. */
  readonly from: number;
  readonly leaves: readonly string[];
}

/** The log as it lies at one place. */
export class PublishedLog {
  readonly stamped;

  constructor(
    readonly place: AnchorPlace,
    private readonly origin: string,
    private readonly verifiers: () => readonly NoteVerifier[],
  ) {
    this.stamped = new StampedCheckpoints(place, origin, verifiers);
  }

  /** Undefined where nothing was published yet. Throws PlaceUnavailable, and {@link NoteRefused} for a checkpoint of another party. */
  async newest(): Promise<SignedCheckpoint | undefined> {
    const bytes = await this.place.read(CHECKPOINT);
    return bytes && this.open(bytes.toString());
  }

  /** A checkpoint of this log, wherever it was kept. Throws {@link NoteRefused} for one of another party. */
  open(note: string): SignedCheckpoint {
    return { ...parseCheckpoint(openNote(note, this.verifiers()), this.origin), note };
  }

  /**
   * The leaves from the beginning of a bundle on, up to a tree of this size, bundle by bundle. The caller compares the root. Throws PlaceUnavailable, and {@link NoteRefused} where
   * leaves are missing.
   */
  async *leaves(from: number, size: number): AsyncGenerator<readonly string[]> {
    const ahead: Promise<readonly string[]>[] = [];
    for (let start = from; start < size || ahead.length > 0; start += BUNDLE) {
      if (start < size) ahead.push(this.#leavesAt(start, Math.min(BUNDLE, size - start)));
      // A failure is thrown when it is its turn, if that comes.
      ahead.at(-1)?.catch(() => undefined);
      if (ahead.length >= AT_ONCE || start >= size) yield (await ahead.shift()) as readonly string[];
    }
  }

  async #leavesAt(start: number, count: number): Promise<readonly string[]> {
    // Of a bundle that has grown, the part may be gone.
    const bytes = (await this.#bundle(start, count)) ?? (count < BUNDLE ? await this.#bundle(start, BUNDLE) : undefined);
    const leaves = bytes ? leavesIn(bytes) : [];
    if (leaves.length < count) throw new NoteRefused(`the leaves from ${start} on are missing`);
    return leaves.slice(0, count);
  }

  /** The leaves first: whoever sees the checkpoint finds them. Throws PlaceUnavailable. */
  async publish({ note, from, leaves }: NextCheckpoint): Promise<void> {
    for (let at = 0; at < leaves.length; at += BUNDLE) {
      const part = leaves.slice(at, at + BUNDLE);
      await this.place.write(bundlePath((from + at) / BUNDLE, part.length), bundleBytes(part));
    }
    await this.place.write(CHECKPOINT, Buffer.from(note));
  }

  /** Forgets the part of a bundle that a tree of this size ended with: a later checkpoint has more of it. */
  async forgetPart(size: number): Promise<void> {
    if (size % BUNDLE !== 0) await this.place.remove(bundlePath(Math.floor(size / BUNDLE), size % BUNDLE));
  }

  #bundle(start: number, count: number): Promise<Buffer | undefined> {
    return this.place.read(bundlePath(start / BUNDLE, count));
  }
}
