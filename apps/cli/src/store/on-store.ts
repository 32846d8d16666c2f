import { type EventStoreDbAccess, EventStoreUnavailable } from '#engines/event-store';

import { Unavailable, UsageFailure } from '../failures.js';

/** The event store of the settings. */
export interface StoreOptions {
  /** EventStoreDB, when it is set; otherwise the SQLite file in `dataDirectory`. */
  readonly esdbUrl?: string;
  readonly esdbAccess?: EventStoreDbAccess;
  readonly dataDirectory: string;
}

/** Throws a Failure in place of an error that the address of the store, or its absence, has caused. */
export const onStore = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TypeError) throw new UsageFailure(`ESDB_URL: ${error.message}`, { cause: error });
    if (error instanceof EventStoreUnavailable) throw new Unavailable(error.reason, { cause: error });
    throw error;
  }
};
