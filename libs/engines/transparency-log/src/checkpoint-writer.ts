import {
  type EventStore,
  type KeptPlace,
  NO_STREAM,
  type Place,
  type RecordedEvent,
  type StreamName,
  WrongExpectedRevision,
} from '#engines/event-store';
import type { Clock, EventId } from '#kernel';

import { voidOf } from './acceptances.js';
import { PlaceUnavailable } from './anchor-place.js';
import { checkpointText } from './checkpoint.js';
import { HistoryRefused } from './history-refused.js';
import { KnownLeaves } from './known-leaves.js';
import { leafOf, leafText } from './leaf.js';
import { BUNDLE } from './leaf-bundles.js';
import { headsUnder } from './log-heads.js';
import { leafHash } from './merkle-hashes.js';
import { loadLeaves, type NamedCheckpoint, openNewest, readNote } from './open-history.js';
import type { PublishedLog } from './published-log.js';
import { type NoteSigner, signNote } from './signed-note.js';
import { type CheckpointNoted, HISTORY_STREAM, type ReadUpTo } from './streams.js';

/** Milliseconds between two calls of {@link CheckpointWriter.write}. A checkpoint is late by twice as much at most. */
export const CHECKPOINT_INTERVAL = 4_000;

export interface CheckpointWriterParts {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly logs: readonly PublishedLog[];
  readonly signer: () => NoteSigner;
  /** Further lines of each checkpoint. Default: none. */
  readonly extensions?: () => Promise<readonly string[]>;
  /** The streams whose newest leaves each checkpoint names. Default: none. */
  readonly heads?: readonly StreamName[];
  /** Which events are leaves. */
  readonly guarded: Guarded;
  /** Told of each checkpoint that was published at a place. */
  readonly published?: (place: string, size: number) => void;
  /** Told that a checkpoint could not be published at a place. The next call tries again. */
  readonly unpublished?: (place: string, reason: string) => void;
}

export interface Guarded {
  readonly categories: readonly string[];
  has(event: Pick<RecordedEvent, 'stream' | 'type'>): boolean;
}

/** The history as its writer knows it. */
interface Writing {
  readonly known: KnownLeaves;
  /** Of the last leaves, from the beginning of the bundle on in which the furthest place ends. */
  readonly texts: string[];
  /** Up to where the store was read. */
  last: ReadUpTo | undefined;
  note: NamedCheckpoint | undefined;
  /** How many leaves each place has; absent while that is not known. */
  readonly sizes: Map<PublishedLog, number>;
  /** The history begins with this process: what the store has lost before is no loss. */
  readonly isNew: boolean;
  /** The store names another history than the places have, and this was accepted: the next checkpoint joins them. */
  isAccepted: boolean;
}

/** Writes the checkpoints of the history. Run by the holder of one lease; of two that write at once, the store's note lets one win. */
export class CheckpointWriter {
  #writing: Writing | undefined;
  /** The part of a bundle at each place that the checkpoint before the last one ended with. */
  readonly #parts = new Map<PublishedLog, number>();

  constructor(private readonly parts: CheckpointWriterParts) {}

  /**
   * Publishes a checkpoint over the guarded events that were stored since the last one. To be repeated. The store names it first, so that a crash in between leaves a note to which
   * the next writer finds the same leaves. Throws {@link HistoryRefused} while the places and the store are not one history, NoteRefused for a checkpoint of another party, ServiceUnavailable,
   * PlaceUnavailable where no place answers, and the reason of the signal.
   */
  async write(signal: AbortSignal): Promise<void> {
    try {
      const writing = (this.#writing ??= await this.#open());
      await this.#readOn(writing, signal);
      await this.#note(writing);
      await this.#publish(writing);
    } catch (error) {
      // Read anew: another process may have written meanwhile.
      if (error instanceof WrongExpectedRevision || error instanceof HistoryRefused) this.#writing = undefined;
      if (!(error instanceof WrongExpectedRevision)) throw error;
    }
  }

  async #open(): Promise<Writing> {
    const { store, logs } = this.parts;
    const unavailable = (log: PublishedLog, error: PlaceUnavailable): void => this.parts.unpublished?.(log.place.name, error.reason);
    const { note, found, furthest, difference, acceptances, isAccepted } = await openNewest(store, logs, { unavailable });
    if (difference) throw difference;
    const known = new KnownLeaves(voidOf(acceptances));
    await loadLeaves(known, furthest);
    const texts = await read(furthest.log, known.size - (known.size % BUNDLE), known.size);
    const sizes = new Map(found.map(({ log, checkpoint }) => [log, checkpoint?.size ?? 0]));
    // Where leaves were lost outside of the store, all that it has are leaves again.
    const last = isAccepted && known.size < (note?.data.size ?? 0) ? undefined : note?.data.before;
    return { known, texts, last, note, sizes, isNew: !note && !isAccepted, isAccepted };
  }

  async #readOn(writing: Writing, signal: AbortSignal): Promise<void> {
    const { store, guarded } = this.parts;
    const enough = new AbortController();
    const over = AbortSignal.any([signal, enough.signal]);
    const after = writing.last && { after: placeOf(writing.last) };
    const reached = ({ position, id }: Place): void => void (writing.last = { position: `${position}`, id });
    try {
      for await (const item of store.subscribe({ ...after, categories: guarded.categories, signal: over, restored: 'begin-anew', reached })) {
        if (item === 'caught-up') return;
        await this.#take(writing, item);
        reached(item);
      }
      signal.throwIfAborted();
    } finally {
      enough.abort();
    }
  }

  async #take(writing: Writing, event: RecordedEvent): Promise<void> {
    const { store, guarded } = this.parts;
    if (!guarded.has(event)) return;
    const leaf = leafOf(event);
    const text = leafText(leaf);
    const known = writing.known.find(leaf);
    if (known && !known.hash.equals(leafHash(text)))
      throw new HistoryRefused(`${event.stream} has another event at revision ${event.revision} than leaf ${known.index}`);
    // A subscription may repeat.
    if (known || (writing.isNew && !writing.note && !(await isReadable(store, event)))) return;
    writing.known.append(leaf, text);
    writing.texts.push(text);
  }

  /** The store names the checkpoint, once the one that it has named before is published. */
  async #note(writing: Writing): Promise<void> {
    const { store, clock } = this.parts;
    const { known, note, last, sizes } = writing;
    const named = note?.data.size ?? 0;
    if (writing.isAccepted) return this.#join(writing);
    if (known.size < named || (note && known.tree.root(named).toString('base64') !== note.data.root))
      throw new HistoryRefused(`the store names a checkpoint of ${named} leaves, which its events do not make`);
    if (known.size === named || !last || Math.max(...sizes.values()) < named) return;
    const before = note && { before: { ...note.data.last, size: named } };
    const root = known.tree.root().toString('base64');
    const noted: CheckpointNoted = { type: 'CheckpointNoted', data: { at: clock.now(), size: known.size, root, last, ...before } };
    await store.append(HISTORY_STREAM, note?.revision ?? NO_STREAM, [noted]);
    writing.note = await readNote(store);
  }

  /** The acceptance itself is a new leaf. */
  async #join(writing: Writing): Promise<void> {
    const { store, clock } = this.parts;
    const { known, note, last } = writing;
    if (!last) return;
    const data = { at: clock.now(), size: known.size, root: known.tree.root().toString('base64'), last };
    const noted: CheckpointNoted = { type: 'CheckpointNoted', data };
    await store.append(HISTORY_STREAM, note?.revision ?? NO_STREAM, [noted]);
    writing.note = await readNote(store);
    writing.isAccepted = false;
  }

  async #publish(writing: Writing): Promise<void> {
    const { note, sizes, texts } = writing;
    if (!note) return;
    const first = writing.known.size - texts.length;
    for (const log of this.parts.logs) await this.#publishAt(log, writing, note).catch(this.#unavailable(log));
    const furthest = Math.max(0, ...sizes.values());
    texts.splice(0, furthest - (furthest % BUNDLE) - first);
  }

  async #publishAt(log: PublishedLog, writing: Writing, note: NamedCheckpoint): Promise<void> {
    const { signer, published, heads: streams = [], extensions: extended = async () => [] } = this.parts;
    const { size, root, at } = note.data;
    const reached = writing.sizes.get(log) ?? (await log.newest())?.size ?? 0;
    writing.sizes.set(log, reached);
    if (reached >= size) return;
    const from = reached - (reached % BUNDLE);
    const { verifier, privateKey } = signer();
    const extensions = await extended();
    const heads = headsUnder(writing.known, streams, size);
    const text = checkpointText({ origin: verifier.name, size, root: Buffer.from(root, 'base64'), at, heads, extensions });
    await log.publish({ note: signNote(text, { verifier, privateKey }), from, leaves: await this.#textsFrom(writing, from, size) });
    writing.sizes.set(log, size);
    published?.(log.place.name, size);
    // Who has read the checkpoint before still looks for the last part.
    await log.forgetPart(this.#parts.get(log) ?? 0);
    this.#parts.set(log, reached);
  }

  /** A place that was away for long gets what it lacks from the furthest one. */
  async #textsFrom({ known, texts, sizes }: Writing, from: number, size: number): Promise<readonly string[]> {
    const first = known.size - texts.length;
    if (from >= first) return texts.slice(from - first, size - first);
    const [furthest] = [...sizes].toSorted(([, a], [, b]) => b - a)[0] ?? [];
    return [...(furthest ? await read(furthest, from, first) : []), ...texts.slice(0, size - first)];
  }

  #unavailable(log: PublishedLog): (error: unknown) => 'unavailable' {
    return (error) => {
      if (!(error instanceof PlaceUnavailable)) throw error;
      this.#writing?.sizes.delete(log);
      this.parts.unpublished?.(log.place.name, error.reason);
      return 'unavailable';
    };
  }
}

const read = async (log: PublishedLog, from: number, size: number): Promise<string[]> => {
  const texts: string[] = [];
  for await (const bundle of log.leaves(from, size)) texts.push(...bundle);
  return texts;
};

const placeOf = ({ position, id }: ReadUpTo): KeptPlace => ({ position: BigInt(position), id: id as EventId });

/** Whether reads still show the event: a subscription may hand over what was erased before. */
const isReadable = async (store: EventStore, { stream, revision, id }: RecordedEvent): Promise<boolean> => {
  const [found] = await store.read(stream, { from: revision, limit: 1 });
  return found?.id === id;
};
