import { findRetirableKey, KeyChangeRefused, removeKey } from '#config';
import { EventStoreUnavailable, withAccess } from '#event-store';
import { type Clock, SystemClock } from '#kernel';
import { countEventsThatName } from '#platform';

import { Refusal, Unavailable, UsageFailure } from '../failures.js';
import type { RetireOptions } from './retire-options.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/**
 * How long the successor must have made the values before the key may go: by then no service uses the key any more, and of tokens, which nothing stores, none is
 * valid that was made under it. The longest live for minutes.
 */
const SUCCESSION = { token: DAY, pin: MINUTE, data: MINUTE, event: MINUTE } as const;

/** Removes a key that no stored value names. Throws a Failure, and changes nothing then. */
export const retireKey = async ({ file, id, ...options }: RetireOptions, clock: Clock = new SystemClock()): Promise<void> => {
  try {
    const key = await findRetirableKey(options.keyDirectory, file, id, clock);
    const freeFrom = key.successorSince + SUCCESSION[file as keyof typeof SUCCESSION];
    if (clock.now() < freeFrom)
      throw new Refusal(`${id} in ${file}.json may still be in use: its successor is too young. Retire it after ${new Date(freeFrom).toISOString()}`);
    const { esdbUrl, esdbAccess = {}, dataDirectory } = options;
    const count = await countEventsThatName(file, id, { dataDirectory, ...(esdbUrl !== undefined && { esdbUrl: withAccess(esdbUrl, esdbAccess) }) });
    if (count > 0) throw new Refusal(`${count} stored events name the key ${id} in ${file}.json: without it they could not be read. Keep it`);
    await removeKey(options.keyDirectory, key);
  } catch (error) {
    if (error instanceof KeyChangeRefused) throw new Refusal(error.message, { cause: error });
    if (error instanceof TypeError) throw new UsageFailure(`ESDB_URL: ${error.message}`, { cause: error });
    if (error instanceof EventStoreUnavailable) throw new Unavailable(error.reason, { cause: error });
    throw error;
  }
};
