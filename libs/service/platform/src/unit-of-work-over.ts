import { type EventStore, UnitOfWork } from '#engines/event-store';
import type { Clock } from '#kernel';

import { FIRST_QUEUES } from './streams.js';

/** The unit of work of a process over its store, with the queues in the declared order. One for each process. */
export const unitOfWorkOver = (eventStore: EventStore, clock: Clock): UnitOfWork => new UnitOfWork(eventStore, clock, FIRST_QUEUES);
