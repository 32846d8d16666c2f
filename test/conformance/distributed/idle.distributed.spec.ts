import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { pause, topology } from '../../support/index.js';

/*
 * What a service does while nothing is asked of it, as the number of times that it wakes: each wake-up costs a tenth of a millisecond, and some twenty processes that
 * wake twenty times a second cost more than the work of many logins (docs/benchmarks.md). A count does not depend on what else the machine does.
 */

/** Wake-ups a second. A consumer group of Kafka, a queue and a read model cost about one or two each. */
const MOST: Readonly<Record<string, number>> = {
  'session-api': 6,
  'login-bff': 6,
  'device-api': 6,
  console: 6,
  registry: 20,
  signing: 12,
  'webhook-dispatcher': 30,
  timers: 20,
  'event-relay': 15,
};
/** Seconds. */
const MEASURED = 10;

/** How often the threads of a process have slept so far. */
const sleeps = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) => Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8'))?.[1]))
    .reduce((sum, count) => sum + count, 0);

(topology && process.platform === 'linux' ? describe : describe.skip)('a service that is asked for nothing', () => {
  it('wakes a few times a second', async () => {
    const replicas = topology!.replicas.flatMap(({ label, name, pid }) => (pid === undefined ? [] : [{ label, name, pid }]));
    const before = replicas.map(({ pid }) => sleeps(pid));
    await pause(MEASURED * 1_000);
    const rates = replicas.map(({ label, name, pid }, at) => ({ label, name, rate: (sleeps(pid) - before[at]!) / MEASURED }));
    expect(rates.filter(({ name, rate }) => rate > (MOST[name] ?? 0))).toEqual([]);
  });
});
