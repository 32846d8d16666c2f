import { EventStoreUnavailable, withAccess } from '#engines/event-store';
import { countAccounts as count } from '#service/platform';

import { Unavailable, UsageFailure } from '../failures.js';
import type { RetireOptions } from './retire-options.js';

/** The accounts that a rotation of the subject key changes, by client. Throws a Failure. */
export const countAccounts = async ({
  dataDirectory,
  esdbUrl,
  esdbAccess = {},
}: Pick<RetireOptions, 'dataDirectory' | 'esdbUrl' | 'esdbAccess'>): Promise<ReadonlyMap<string, number>> => {
  try {
    return await count({ dataDirectory, ...(esdbUrl !== undefined && { esdbUrl: withAccess(esdbUrl, esdbAccess) }) });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageFailure(`ESDB_URL: ${error.message}`, { cause: error });
    if (error instanceof EventStoreUnavailable) throw new Unavailable(error.reason, { cause: error });
    throw error;
  }
};
