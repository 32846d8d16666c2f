import { parseArgs } from 'node:util';

import { type ClientId, type IdentityId, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { openDataDirectory } from '#testkit/platform/open-data-directory';
import { storeFinishedSessions } from '#testkit/session/finished-sessions';

/** Fills a data directory of the embedded profile with finished logins: `node dist/lab/bench/generate-events.js --data DIR --sessions 200000`. */
const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    sessions: { type: 'string', default: '200000' },
    clients: { type: 'string', default: '100' },
    persons: { type: 'string', default: '10000' },
    /** The sessions are spread evenly over the last so many hours. */
    hours: { type: 'string', default: '24' },
  },
});
if (options.data === undefined) throw new Error('--data is missing: the directory to be filled');

const HOUR = 3_600_000;
/** The last session ended this long ago. */
const QUIET = 10 * 60_000;
/** Sessions between two lines of progress. */
const PART = 100_000;

const [count, period] = [Number(options.sessions), Number(options.hours) * HOUR];
const randomness = new SystemRandomness();
const ids = <Id extends string>(number: string): readonly Id[] => Array.from({ length: Number(number) }, () => randomness.uuid<Id>());
const [clients, persons] = [ids<ClientId>(options.clients), ids<IdentityId>(options.persons)];
const every = Math.floor(period / Math.max(count, 1));
const begin = Date.now() - QUIET - period;

// Expiries and sweeps go by the store's clock.
const clock = new FixedClock(begin);
const store = await openDataDirectory(options.data, clock);
const started = performance.now();
for (let stored = 0; stored < count; stored += PART) {
  if (stored > 0) clock.advance(PART * every);
  await storeFinishedSessions(store, { count: Math.min(PART, count - stored), clients, persons, from: clock.now(), every, randomness });
  console.error(`${Math.min(stored + PART, count)} sessions, ${((performance.now() - started) / 1000).toFixed(1)} s`);
}
await store.close();
