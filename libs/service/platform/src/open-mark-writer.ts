import { type EventStore, MarkWriter } from '#engines/event-store';
import type { Clock } from '#kernel';
import type { Log } from '#telemetry';

import { MARKED_CATEGORIES } from './streams.js';

interface Dependencies {
  readonly eventStore: EventStore;
  readonly clock: Clock;
  readonly log: Log;
}

/** Writes the marks of the store. Tells the log when another party keeps marks from being written. */
export const openMarkWriter = ({ eventStore: store, clock, log }: Dependencies): MarkWriter => {
  const refused = (reason: string): void =>
    log.error('no marks of the event store are written: another party has written to their stream, or has closed it', {
      component: 'event-store',
      reason,
    });
  return new MarkWriter({ store, clock, categories: MARKED_CATEGORIES, refused });
};
