import type { ReadOptions, RecordedEvent, StreamName } from '#engines/event-store';
import { Note } from '#kernel';

import type { KnownLeaf } from './known-leaf.js';
import type { KnownLeaves } from './known-leaves.js';
import { leafOf, leafText, streamDigest } from './leaf.js';
import { leafHash } from './merkle-hashes.js';

/** The leaf of each event that was looked at: a store may hand the same object over again. */
const leaves = new Note<RecordedEvent, Buffer>();

const leafHashOf = (event: RecordedEvent): Buffer => {
  const known = leaves.get(event);
  if (known) return known;
  const hash = leafHash(leafText(leafOf(event)));
  leaves.set(event, hash);
  return hash;
};

/** The revisions that a read shows, both ends included. */
const shownBy = (events: readonly RecordedEvent[], { direction = 'forwards', from, limit = Infinity }: ReadOptions): readonly [number, number] => {
  const end = events.at(-1)?.revision;
  const isWhole = events.length < limit || end === undefined;
  return direction === 'forwards' ? [from ?? 0, isWhole ? Infinity : end] : [isWhole ? 0 : end, from ?? Infinity];
};

export interface GuardedRead {
  readonly stream: StreamName;
  readonly options: ReadOptions;
  readonly events: readonly RecordedEvent[];
  /** The types of events before which the stream may be truncated. */
  readonly truncatedBefore: readonly string[];
}

/** The leaves whose events a read of the stream should have shown, and did not: they are missing, or another event stands there. The newest first. */
export function* missingLeaves(known: KnownLeaves, { stream, options, events, truncatedBefore }: GuardedRead): Generator<KnownLeaf> {
  const digest = streamDigest(stream);
  if (!known.has(digest)) return;
  const [least, most] = shownBy(events, options);
  const byRevision = new Map(events.map((event) => [event.revision, event]));
  const first = options.direction === 'backwards' ? events.at(-1) : events[0];
  // What the first event has taken up may be gone before it.
  const begin = first && truncatedBefore.includes(first.type) ? first.revision : 0;
  for (const leaf of known.of(digest, most)) {
    if (leaf.revision < Math.max(least, begin)) return;
    const event = byRevision.get(leaf.revision);
    if (!event || !leafHashOf(event).equals(leaf.hash)) yield leaf;
  }
}
