import { AsyncLocalStorage } from 'node:async_hooks';

import type { EventStore } from '#engines/event-store';

/** Calls of a store. */
export interface StoreCalls {
  reads: number;
  appends: number;
  /** That the appends have stored. */
  events: number;
  /** How many of the calls followed one another: the longest chain in which each began after the one before had been answered. */
  sequential: number;
}

/** Runs the work and answers its result with the reads and appends that it made. */
export type CountedRun = <Answer>(work: () => Promise<Answer>) => Promise<readonly [Answer, StoreCalls]>;

/** From now on the store's reads and appends can be counted: those that a piece of work makes, and no others of the process. */
export const countCalls = (store: EventStore): CountedRun => {
  const counting = new AsyncLocalStorage<StoreCalls>();
  const counted = async <Answer>(kind: 'reads' | 'appends', call: () => Promise<Answer>): Promise<Answer> => {
    const calls = counting.getStore();
    if (!calls) return call();
    calls[kind] += 1;
    const place = calls.sequential + 1;
    try {
      return await call();
    } finally {
      calls.sequential = Math.max(calls.sequential, place);
    }
  };
  const [read, append, exists] = [store.read.bind(store), store.append.bind(store), store.exists.bind(store)];
  const appendTogether = store.appendTogether.bind(store);
  store.read = ((...given) => counted('reads', () => read(...given))) as EventStore['read'];
  store.exists = (...given) => counted('reads', () => exists(...given));
  const stored = (events: number): void => {
    const calls = counting.getStore();
    if (calls) calls.events += events;
  };
  store.append = async (...given) => {
    const result = await counted('appends', () => append(...given));
    stored(given[2].length);
    return result;
  };
  // One transaction counts as one append. A store without transactions over streams is not asked anything.
  store.appendTogether = async (...given) => {
    if (!(await appendTogether([]))) return undefined;
    const results = await counted('appends', () => appendTogether(...given));
    stored(given[0].reduce((sum, { events }) => sum + events.length, 0));
    return results;
  };
  return async (work) => {
    const calls = { reads: 0, appends: 0, events: 0, sequential: 0 };
    return [await counting.run(calls, work), calls];
  };
};
