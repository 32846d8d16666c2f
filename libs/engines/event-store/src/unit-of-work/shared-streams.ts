import { type Clock, KeyedQueue, Note } from '#kernel';

import type { EventStore, RecordedEvent, StreamName } from '../event-store.js';
import { LookProofs } from './look-proofs.js';
import { StreamMemory } from './stream-memory.js';

interface Folded {
  readonly decider: unknown;
  readonly loaded: unknown;
}

/** What all works of a process share: a queue for each stream, the folded lists of the store, and the states that it has read or written last. */
export class SharedStreams {
  readonly queue = new KeyedQueue();
  readonly memory: StreamMemory;
  /** The states of streams that grow, apart from the others, which are used more often and would displace them. */
  readonly grown: StreamMemory;
  /** The store returns the same list while a stream has not changed: then it is not folded again. */
  readonly folded = new Note<readonly RecordedEvent[], Folded>();
  /** Told of each append. */
  readonly observers: ((stream: StreamName, revision: number) => void)[] = [];
  readonly proofs: LookProofs;

  constructor(store: EventStore, clock: Clock) {
    this.memory = new StreamMemory(store, clock);
    this.grown = new StreamMemory(store, clock);
    this.proofs = new LookProofs(clock);
  }
}
