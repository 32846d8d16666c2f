import { join } from 'node:path';

import { InvalidSettings, type PlatformSettings } from '#config';
import { type EventStore, openEventStoreDb, SqliteEventStore } from '#event-store';
import type { Clock, Randomness } from '#kernel';
import type { Log } from '#telemetry';

interface Surroundings {
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
}

/** EventStoreDB where `ESDB_URL` names one, which need not be up yet; otherwise the file in `DATA_DIR`. */
export const openEventStore = async ({ esdbUrl, dataDirectory }: PlatformSettings, { clock, randomness, log }: Surroundings): Promise<EventStore> => {
  if (esdbUrl === undefined) return new SqliteEventStore({ path: join(dataDirectory, 'countersign.sqlite'), clock });
  const report = (reason: string): void => log.warn('a subscription to the event store was interrupted and is taken up again', { component: 'event-store', reason });
  try {
    return await openEventStoreDb({ connectionString: esdbUrl, clock, randomness, report });
  } catch {
    // What the client says may quote the credentials.
    throw new InvalidSettings(['ESDB_URL is not a connection string that EventStoreDB knows, such as esdb://host:2113?tls=false.']);
  }
};
