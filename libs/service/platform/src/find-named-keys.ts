import { join } from 'node:path';

import type { KeyFileName } from '#service/config';
import { type EventStore, keyOfMac, openEventStoreDb, type RecordedEvent, SqliteEventStore } from '#engines/event-store';
import { type Json, SystemClock, SystemRandomness } from '#kernel';

import { STREAMS } from './streams.js';

export interface StoreLocation {
  /** EventStoreDB, when it is set; otherwise the SQLite file in `dataDirectory`. */
  readonly esdbUrl?: string;
  readonly dataDirectory: string;
}

/**
 * How many stored events name the key of that id: sealed members for `data`, PIN proofs for `pin`, MACs for `event`. Reads the whole store. Throws EventStoreUnavailable, for a
 * SQLite file also when a process holds it.
 */
export const countEventsThatName = async (file: KeyFileName, id: string, location: StoreLocation): Promise<number> => {
  const names = NAMES[file];
  if (names === undefined) return 0;
  const categories = STREAMS.map(({ category }) => category);
  let count = 0;
  for await (const event of eventsAt(location, categories)) if (names(event, id)) count += 1;
  return count;
};

/** Every event of the categories that is stored now. */
export const eventsAt = async function* (location: StoreLocation, categories: readonly string[]): AsyncGenerator<RecordedEvent> {
  const store = await openStoreAt(location);
  const ended = new AbortController();
  try {
    for await (const item of store.subscribe({ categories, signal: ended.signal })) {
      if (item === 'caught-up') return;
      yield item;
    }
  } finally {
    ended.abort();
    await store.close();
  }
};

export const openStoreAt = async ({ esdbUrl, dataDirectory }: StoreLocation): Promise<EventStore> => {
  const [clock, randomness] = [new SystemClock(), new SystemRandomness()];
  return esdbUrl === undefined
    ? new SqliteEventStore({ path: join(dataDirectory, 'countersign.sqlite'), clock })
    : openEventStoreDb({ connectionString: esdbUrl, clock, randomness });
};

/** A sealed value in any form, also in the form of a newer release (`Sealer`), so that no key in use is removed. Nonce and tag alone are 28 bytes. */
const SEALED = /^[A-Za-z0-9_-]{1,32}\.([^.]{1,8}\.)?[A-Za-z0-9_-]{38,}$/;

/** Nothing that is stored names a key of `token`. */
const NAMES: Partial<Record<KeyFileName, (event: RecordedEvent, id: string) => boolean>> = {
  data: ({ data }, id) => someValue(data as Json, (value) => typeof value === 'string' && value.startsWith(`${id}.`) && SEALED.test(value)),
  pin: ({ data }, id) => someValue(data as Json, (value) => isObject(value) && value['keyId'] === id && 'mac' in value),
  event: ({ metadata }, id) => typeof metadata?.mac === 'string' && keyOfMac(metadata.mac) === id,
};

const isObject = (value: Json): value is Readonly<Record<string, Json>> => typeof value === 'object' && value !== null && !Array.isArray(value);

const someValue = (value: Json, matches: (value: Json) => boolean): boolean =>
  matches(value) || (typeof value === 'object' && value !== null && Object.values(value).some((member) => someValue(member as Json, matches)));
