import type { DomainEvent } from '#kernel';

import type { AnyStreams } from './declared-streams.js';
import { decideAndAppend, type LastEvent, readLast, type StoreAndClock } from './decide-and-append.js';
import type { StreamName } from './event-store.js';

/**
 * Ends a claim that `reserve` made, and erases it: appends `released`, an event without content, if the newest event is
 * still the claim to end, and then truncates the stream before the newest event of that type. A store that reclaims space
 * keeps the last event of a stream, so the event without content has to come first.
 *
 * May be repeated: a repetition after a crash finishes the truncation. A later claim stays as it is.
 */
export const release = async <Event extends DomainEvent>(
  { store, clock }: StoreAndClock,
  streams: AnyStreams,
  stream: StreamName,
  released: Event,
  isHeld: (last: Event) => boolean,
): Promise<void> => {
  await decideAndAppend<LastEvent<Event>, Event>({ store, clock }, stream, {
    load: () => readLast<Event>(store, stream),
    decide: ({ last }) => (last && isHeld(last) ? [released] : []),
  });
  await streams.truncateBeforeNewest(store, stream, released.type);
};
