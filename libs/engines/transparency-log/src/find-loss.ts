import { type EventStore, lossStream, type StreamName } from '#engines/event-store';

import { type Loss, rangesOf, voidOf } from './acceptances.js';
import type { Guarded } from './checkpoint-writer.js';
import { missingLeaves } from './guarded-reads.js';
import { guardedStreams } from './guarded-streams.js';
import { KnownLeaves } from './known-leaves.js';
import { streamDigest } from './leaf.js';
import { headOf, loadLeaves, openNewest } from './open-history.js';
import type { PublishedLog } from './published-log.js';

export interface FindLossParts {
  readonly store: EventStore;
  readonly logs: readonly PublishedLog[];
  readonly guarded: Guarded;
  readonly truncatedBefore: (stream: StreamName) => readonly string[];
}

/** A loss, and the further lines of the newest checkpoint. */
export interface FoundLoss extends Loss {
  readonly extensions: readonly string[];
}

/**
 * What the store lacks of all that was published. Undefined where it lacks nothing and has named the newest checkpoint. Throws HistoryRefused where the leaves outside of the store are not whole,
 * NoteRefused, PlaceUnavailable, and what reads throw.
 */
export const findLoss = async ({ store, logs, guarded, truncatedBefore }: FindLossParts, signal: AbortSignal): Promise<FoundLoss | undefined> => {
  const { note, furthest, difference, acceptances } = await openNewest(store, logs, { unavailable: () => undefined });
  const known = new KnownLeaves(voidOf(acceptances));
  await loadLeaves(known, furthest);
  const unseen = known.streams();
  const lost: number[] = [];
  for (const stream of await guardedStreams({ store, guarded }, signal)) {
    const key = known.keyOf(streamDigest(stream));
    unseen.delete(key);
    const events = await store.read(stream);
    if (events.length === 0 && (await isNoted(store, key))) continue;
    for (const { index } of missingLeaves(known, { stream, options: {}, events, truncatedBefore: truncatedBefore(stream) })) lost.push(index);
  }
  for (const key of unseen) if (!(await isNoted(store, key))) lost.push(...[...known.of(key)].map(({ index }) => index));
  if (lost.length === 0 && !difference) return undefined;
  const stored = note && { stored: { size: note.data.size, root: note.data.root } };
  return { published: headOf(furthest.checkpoint), ...stored, lost: rangesOf(lost), extensions: furthest.checkpoint?.extensions ?? [] };
};

const isNoted = async (store: EventStore, digest: string): Promise<boolean> => (await store.read(lossStream(digest), { limit: 1 })).length > 0;
