import type { DomainEvent } from '#kernel';

import { decideAndAppend, readLast, type StoreAndClock } from './decide-and-append.js';
import type { StreamName } from './event-store.js';

/**
 * Appends an event after the last event of a stream that is only a log (an inbox, dead letters): no decision depends on it. The append still names
 * an exact revision. The stream may have lost all its events by age; then the conflict tells its last revision.
 */
export const appendFact = async (storeAndClock: StoreAndClock, stream: StreamName, event: DomainEvent): Promise<void> => {
  await decideAndAppend(storeAndClock, stream, {
    load: (conflict) => (conflict ? { revision: conflict.actual } : readLast(storeAndClock.store, stream)),
    decide: () => [event],
  });
};
