import { join } from 'node:path';

import { InvalidSettings, type PlatformSettings } from '#config';
import { type EventStore, openEventStoreDb, SqliteEventStore } from '#event-store';
import type { Clock, Randomness } from '#kernel';
import type { Log } from '#telemetry';

interface Dependencies {
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
}

/** EventStoreDB when `ESDB_URL` is set, which need not be available yet; otherwise the SQLite file in `DATA_DIR`. */
export const openEventStore = async ({ esdbUrl, dataDirectory }: PlatformSettings, { clock, randomness, log }: Dependencies): Promise<EventStore> => {
  if (esdbUrl === undefined) return new SqliteEventStore({ path: join(dataDirectory, 'countersign.sqlite'), clock, randomness });
  const report = (reason: string): void =>
    log.warn('a subscription to the event store was interrupted and resumes', { component: 'event-store', reason });
  const alarm = (reason: string): void =>
    log.error('a subscription to the event store has stopped until an operator acts', { component: 'event-store', reason });
  try {
    return await openEventStoreDb({ connectionString: esdbUrl, clock, randomness, report, alarm });
  } catch {
    // The client's message may contain the credentials.
    throw new InvalidSettings(['ESDB_URL is not a connection string that EventStoreDB knows, such as esdb://host:2113?tls=false.']);
  }
};
