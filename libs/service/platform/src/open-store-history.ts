import { type EventStore, StoreHistory } from '#engines/event-store';
import type { Clock } from '#kernel';
import type { Log, Metrics } from '#telemetry';

interface Dependencies {
  readonly eventStore: EventStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** The history of the store, whose restorations are counted and told in the log by the process that notes them, and by each one that finds them while they cannot be noted. */
export const openStoreHistory = ({ eventStore, clock, log, metrics }: Dependencies): StoreHistory => {
  const noted = (): void => {
    metrics.storeRestorations.inc();
    log.error('the event store was restored from an older copy', { component: 'event-store' });
  };
  const unnoted = (reason: string): void => {
    metrics.storeRestorations.inc();
    log.error('the event store was restored from an older copy, which its stream of marks cannot note', { component: 'event-store', reason });
  };
  return new StoreHistory({ store: eventStore, clock, noted, unnoted });
};
