import { setTimeout as pause } from 'node:timers/promises';

import type { Load } from './load.js';
import { Stopwatch } from './measurement.js';
import type { Measured } from './server.js';

export interface RepeatedWork {
  readonly name: string;
  readonly server: Measured;
  /** One for each person, who does one after the other. Rejects with the reason of a failure. */
  readonly works: readonly (() => Promise<void>)[];
}

/** Persons who do the same again and again, as many at a time as the load says. With a rate, each is timed from the moment that it was due. */
export const repeatedLoad = ({ name, server, works }: RepeatedWork): Load => ({
  name,
  run: async ({ seconds, concurrency, perSecond }) => {
    const stopwatch = new Stopwatch(server);
    const began = performance.now();
    const end = began + seconds * 1000;
    let started = 0;
    /** When the next one is due; without a rate, now. */
    const nextStart = (): number => (perSecond === undefined ? performance.now() : began + (started++ * 1000) / perSecond);
    const person = async (work: () => Promise<void>): Promise<void> => {
      for (let start = nextStart(); start < end; start = nextStart()) {
        const early = start - performance.now();
        if (early > 0) await pause(early);
        try {
          await work();
          stopwatch.took(performance.now() - start);
        } catch (error) {
          stopwatch.failed((error as Error).message);
        }
      }
    };
    await Promise.all(works.slice(0, concurrency).map(person));
    return stopwatch.stop();
  },
});
