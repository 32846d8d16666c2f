import type { DomainEvent } from '#kernel';

import { decideAndAppend, readLast, type StoreAndClock } from './decide-and-append.js';
import type { StreamName } from './event-store.js';

/**
 * Appends an event to a stream that is a log and decides nothing (an inbox, dead letters), after its last event.
 * Still at an exact revision. The stream may age: when nothing is left to read, the conflict tells its last revision.
 */
export const appendFact = async (storeAndClock: StoreAndClock, stream: StreamName, event: DomainEvent): Promise<void> => {
  await decideAndAppend(storeAndClock, stream, {
    load: (conflict) => (conflict ? { revision: conflict.actual } : readLast(storeAndClock.store, stream)),
    decide: () => [event],
  });
};
