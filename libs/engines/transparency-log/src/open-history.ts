import type { EventStore, RecordedEvent } from '#engines/event-store';

import { HistoryRefused } from './history-refused.js';
import type { KnownLeaves } from './known-leaves.js';
import { parseLeaf } from './leaf.js';
import { BUNDLE } from './leaf-bundles.js';
import type { PublishedLog, SignedCheckpoint } from './published-log.js';
import { type CheckpointNoted, HISTORY_STREAM } from './streams.js';

export type NamedCheckpoint = RecordedEvent<CheckpointNoted>;

/** The newest checkpoint of one place; nothing where none was published there. */
export interface FoundLog {
  readonly log: PublishedLog;
  readonly checkpoint: SignedCheckpoint | undefined;
}

/** The newest checkpoint that the store names. Throws what reads throw. */
export const readNote = async (store: EventStore): Promise<NamedCheckpoint | undefined> => {
  const [note] = await store.read<CheckpointNoted>(HISTORY_STREAM, { direction: 'backwards', limit: 1 });
  return note;
};

/** The one with the most leaves. */
export const furthestOf = (found: readonly FoundLog[]): FoundLog | undefined =>
  found.toSorted((a, b) => (b.checkpoint?.size ?? -1) - (a.checkpoint?.size ?? -1))[0];

/**
 * Compares the newest checkpoint outside of the store with the one that the store names, in constant time. The store names each before it is published, so it may be one ahead. Throws
 * {@link HistoryRefused}.
 */
export const compareNewest = (note: NamedCheckpoint | undefined, checkpoint: SignedCheckpoint | undefined): void => {
  const [named, size] = [note?.data.size ?? 0, checkpoint?.size ?? 0];
  if (!note && !checkpoint) return;
  if (!note)
    throw new HistoryRefused(`the store names no checkpoint, and one of ${size} leaves was published: the store was emptied, or is another one`);
  if (named < size)
    throw new HistoryRefused(`the store names a checkpoint of ${named} leaves, and one of ${size} was published: the store is an older copy`);
  if (size < (note.data.before?.size ?? 0))
    throw new HistoryRefused(
      `the newest checkpoint outside of the store has ${size} leaves, and one of ${note.data.before?.size} was published: it was lost there`,
    );
  if (named === size && checkpoint?.root.toString('base64') !== note.data.root)
    throw new HistoryRefused(`the store names another root of ${size} leaves than was published: it is another history`);
};

/** Adds the leaves that the checkpoint has beyond the known ones, and proves them by its root. Throws {@link HistoryRefused}, PlaceUnavailable and NoteRefused. */
export const loadLeaves = async (known: KnownLeaves, { log, checkpoint }: FoundLog): Promise<void> => {
  if (!checkpoint) return;
  let next = known.size - (known.size % BUNDLE);
  for await (const texts of log.leaves(next, checkpoint.size)) {
    for (const text of texts.slice(known.size - next)) {
      const leaf = parseLeaf(text);
      if (!leaf) throw new HistoryRefused(`leaf ${known.size} outside of the store is no leaf`);
      known.append(leaf);
    }
    next += texts.length;
  }
  if (!known.tree.root(checkpoint.size).equals(checkpoint.root))
    throw new HistoryRefused(`the ${checkpoint.size} leaves outside of the store have not the root that was signed`);
};
