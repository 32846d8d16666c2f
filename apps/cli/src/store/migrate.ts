import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { EventStoreUnavailable, migrate as copy, MigrationRefused, openEventStoreDb } from '#engines/event-store';
import { SystemClock, SystemRandomness } from '#kernel';
import { CATEGORIES_LEFT_BEHIND, STORE } from '#service/platform';

import { Refusal, Unavailable, UsageFailure } from '../failures.js';
import type { StoreOptions } from './on-store.js';

interface MigrateOptions extends StoreOptions {
  readonly esdbUrl: string;
}

interface MigratedStore {
  readonly streams: number;
  readonly events: number;
  readonly tombstones: number;
}

/** Copies the embedded store of a service that does not run into an EventStoreDB that no service has used. Throws a Failure. */
export const migrate = async ({ dataDirectory, esdbUrl, esdbAccess }: MigrateOptions): Promise<MigratedStore> => {
  const path = join(dataDirectory, STORE);
  if (!existsSync(path)) throw new UsageFailure(`there is no ${path}: set DATA_DIR to the folder of the service`);
  const clock = new SystemClock();
  const target = await openEventStoreDb({ connectionString: esdbUrl, access: esdbAccess, clock, randomness: new SystemRandomness() }).catch(() => {
    // The client's message may contain the credentials.
    throw new UsageFailure('ESDB_URL is not a connection string that EventStoreDB knows, such as esdb://host:2113?tls=false');
  });
  try {
    return await copy({ path, target, leftOut: CATEGORIES_LEFT_BEHIND, clock });
  } catch (error) {
    if (error instanceof MigrationRefused) throw new Refusal(error.message, { cause: error });
    if (error instanceof EventStoreUnavailable) throw new Unavailable(error.reason, { cause: error });
    throw error;
  } finally {
    await target.close();
  }
};
