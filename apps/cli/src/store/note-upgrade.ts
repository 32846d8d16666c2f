import { EventStoreUnavailable, withAccess } from '#event-store';
import { noteUpgrade as note, UpgradeNoted } from '#platform';

import { Refusal, Unavailable, UsageFailure } from '../failures.js';
import type { NotedUpgrade, UpgradeOptions } from './noted-upgrade.js';

/** Throws a Failure. */
export const noteUpgrade = async (options: UpgradeOptions): Promise<NotedUpgrade> => {
  try {
    const { file, until } = await note({
      ...options,
      ...(options.esdbUrl !== undefined && { esdbUrl: withAccess(options.esdbUrl, options.esdbAccess ?? {}) }),
    });
    return { file, until: String(until) };
  } catch (error) {
    if (error instanceof UpgradeNoted) throw new Refusal(error.message, { cause: error });
    if (error instanceof TypeError) throw new UsageFailure(`ESDB_URL: ${error.message}`, { cause: error });
    if (error instanceof EventStoreUnavailable) throw new Unavailable(error.message, { cause: error });
    throw error;
  }
};
