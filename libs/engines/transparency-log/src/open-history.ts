import type { EventStore, RecordedEvent } from '#engines/event-store';

import { pause as systemPause, type Pause } from '#kernel';

import { type Loss, type LossAccepted, readAcceptances, type TreeHead } from './acceptances.js';
import { PlaceUnavailable } from './anchor-place.js';
import { HistoryRefused } from './history-refused.js';
import type { KnownLeaves } from './known-leaves.js';
import { parseLeaf } from './leaf.js';
import { BUNDLE } from './leaf-bundles.js';
import { unprovenHead } from './log-heads.js';
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

/** Between two looks of which the first shows what a writer is about to complete. Milliseconds. */
const PAUSE = 100;
const LOOKS = 3;

export interface Newest {
  readonly note: NamedCheckpoint | undefined;
  /** Of the places that answer. */
  readonly found: readonly FoundLog[];
  /** The one that has most. */
  readonly furthest: FoundLog;
  /** How the store and the places differ, unless that was accepted. */
  readonly difference: HistoryRefused | undefined;
  readonly acceptances: readonly LossAccepted['data'][];
  /** Whether the store and the places differ, and that was accepted. */
  readonly isAccepted: boolean;
}

/**
 * What the store and the places have, compared. Throws PlaceUnavailable where no place answers, NoteRefused for a checkpoint of another party, and what reads throw. `unavailable`: told of each place that does not answer.
 */
export const openNewest = async (
  store: EventStore,
  logs: readonly PublishedLog[],
  { unavailable, pause = systemPause }: { readonly unavailable: (log: PublishedLog, error: PlaceUnavailable) => void; readonly pause?: Pause },
): Promise<Newest> => {
  for (let looks = 1; ; looks++) {
    const found: FoundLog[] = [];
    for (const log of logs) {
      try {
        found.push({ log, checkpoint: await log.newest() });
      } catch (error) {
        if (!(error instanceof PlaceUnavailable)) throw error;
        unavailable(log, error);
      }
    }
    const furthest = furthestOf(found);
    if (!furthest) throw new PlaceUnavailable('no place of checkpoints answers');
    const note = await readNote(store);
    const acceptances = await readAcceptances(store);
    const difference = compareNewest(note, furthest.checkpoint);
    const isAccepted = difference !== undefined && isOfThese(acceptances.at(-1), note, furthest.checkpoint);
    if (!difference || isAccepted || looks === LOOKS)
      return { note, found, furthest, difference: isAccepted ? undefined : difference, acceptances, isAccepted };
    await pause(PAUSE);
  }
};

/** The one with the most leaves. */
const furthestOf = (found: readonly FoundLog[]): FoundLog | undefined =>
  found.toSorted((a, b) => (b.checkpoint?.size ?? -1) - (a.checkpoint?.size ?? -1))[0];

/**
 * How the newest checkpoint outside of the store differs from the one that the store names, in constant time. The store names each before it is published, so it may be one ahead. Undefined where
 * they are of one history.
 */
export const compareNewest = (note: NamedCheckpoint | undefined, checkpoint: SignedCheckpoint | undefined): HistoryRefused | undefined => {
  const [named, before, size] = [note?.data.size ?? 0, note?.data.before?.size ?? 0, checkpoint?.size ?? 0];
  if (!note && checkpoint)
    return new HistoryRefused(`the store names no checkpoint, and one of ${size} leaves was published: it was emptied, or is another store`);
  if (named < size)
    return new HistoryRefused(`the store names a checkpoint of ${named} leaves, and one of ${size} was published: the store is an older copy`);
  if (size < before)
    return new HistoryRefused(`the newest checkpoint outside of the store has ${size} leaves, and one of ${before} was published: it was lost there`);
  if (note && named === size && checkpoint?.root.toString('base64') !== note.data.root)
    return new HistoryRefused(`the store names another root of ${size} leaves than was published: it is another history`);
  return undefined;
};

/** Whether the loss that was accepted is the one between these two. */
const isOfThese = (loss: Loss | undefined, note: NamedCheckpoint | undefined, checkpoint: SignedCheckpoint | undefined): boolean =>
  loss !== undefined && isHead(loss.published, headOf(checkpoint)) && isHead(loss.stored ?? NONE, note?.data ?? NONE);

const NONE: TreeHead = { size: 0, root: '' };

/** Of the newest checkpoint outside of the store. */
export const headOf = (checkpoint: SignedCheckpoint | undefined): TreeHead =>
  checkpoint ? { size: checkpoint.size, root: checkpoint.root.toString('base64') } : NONE;

const isHead = (one: TreeHead, other: TreeHead): boolean => one.size === other.size && one.root === other.root;

/** Adds the leaves that the checkpoint has beyond the known ones, and proves them by its root. Throws {@link HistoryRefused}, PlaceUnavailable and NoteRefused. */
export const loadLeaves = async (known: KnownLeaves, { log, checkpoint }: FoundLog): Promise<void> => {
  if (!checkpoint) return;
  let next = known.size - (known.size % BUNDLE);
  for await (const texts of log.leaves(next, checkpoint.size)) {
    for (const text of texts.slice(known.size - next)) {
      const leaf = parseLeaf(text);
      if (!leaf) throw new HistoryRefused(`leaf ${known.size} outside of the store is no leaf`);
      known.append(leaf, text);
    }
    next += texts.length;
  }
  if (!known.tree.root(checkpoint.size).equals(checkpoint.root))
    throw new HistoryRefused(`the ${checkpoint.size} leaves outside of the store have not the root that was signed`);
  const head = unprovenHead(known.tree, checkpoint.heads);
  if (head) throw new HistoryRefused(`leaf ${head.index} is not the head that the checkpoint names`);
};
