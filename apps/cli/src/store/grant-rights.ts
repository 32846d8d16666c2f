import { EventStoreUnavailable, grantRightsInEventStoreDb, withAccess } from '#engines/event-store';

import { Unavailable, UsageFailure } from '../failures.js';
import type { GrantOptions } from './grant-options.js';

/** Throws a Failure. */
export const grantRights = async ({ esdbUrl, esdbAccess = {}, credentials, role }: GrantOptions): Promise<void> => {
  try {
    await grantRightsInEventStoreDb({ connectionString: withAccess(esdbUrl, esdbAccess), credentials, role });
  } catch (error) {
    if (error instanceof EventStoreUnavailable) throw new Unavailable(error.reason, { cause: error });
    if (error instanceof TypeError) throw new UsageFailure(`ESDB_URL: ${error.message}`, { cause: error });
    throw error;
  }
};
