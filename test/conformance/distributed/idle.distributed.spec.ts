import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { pause, topology } from '../../support/index.js';

/*
 * What a service does while nothing is asked of it, as the number of times that its main thread wakes. Each time costs about a tenth of a millisecond, and twenty
 * processes that wake twenty times a second cost more than the work of many logins (docs/benchmarks.md). A count does not depend on what else the machine does.
 */

/** Wake-ups a second of one process; about twice what was measured. A consumer group of Kafka, a queue and a read model cost one or two each. */
const MOST: Readonly<Record<string, number>> = {
  'session-api': 5,
  'login-bff': 5,
  'device-api': 5,
  openid: 5,
  console: 5,
  registry: 20,
  signing: 6,
  'webhook-dispatcher': 22,
  timers: 12,
  'event-relay': 10,
};
/** Seconds. The tests before leave work behind, and V8 collects its garbage once more: one quiet window of some is enough. */
const WINDOW = 5;
const WINDOWS = 6;

interface Process {
  readonly label: string;
  readonly name: string;
  readonly pid: number;
}

/** How often the main thread has slept so far. */
const sleeps = ({ pid }: Process): number =>
  Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/task/${pid}/status`, 'utf8'))?.[1]);

(topology && process.platform === 'linux' ? describe : describe.skip)('a service that is asked for nothing', () => {
  it('wakes a few times a second', async () => {
    let restless = topology!.replicas.flatMap(({ label, name, pid }) => (pid === undefined ? [] : [{ label, name, pid }]));
    expect(restless.length).toBeGreaterThan(0);
    let rates: Record<string, number> = {};
    for (let window = 0; window < WINDOWS && restless.length > 0; window++) {
      const before = restless.map(sleeps);
      await pause(WINDOW * 1_000);
      const measured = restless.map((one, at) => ({ one, rate: (sleeps(one) - before[at]!) / WINDOW }));
      const tooOften = measured.filter(({ one: { name }, rate }) => rate > (MOST[name] ?? 0));
      restless = tooOften.map(({ one }) => one);
      rates = Object.fromEntries(tooOften.map(({ one: { label }, rate }) => [label, rate]));
    }
    expect(rates).toEqual({});
  });
});
