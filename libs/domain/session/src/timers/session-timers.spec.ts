import { isDeepStrictEqual } from 'node:util';

import { describe, it } from '@jest/globals';

import { type SessionId, SystemClock } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { eventually } from '#testkit/kernel/eventually';
import { Metrics, SilentLog } from '#telemetry';

import { timerWaits } from '../domain/session-timer.js';
import type { TimerRow } from '../read-models/timer-tables.js';
import { SessionTimers } from './session-timers.js';
import { TopicShare } from './topic-share.js';

const MINUTE = 60_000;

/** Timers of one session whose store hangs, so that their work does not end before the signal. */
const hangingTimers = (row: Pick<TimerRow, 'kind' | 'at'>, clock: FixedClock, stopping: AbortSignal) => {
  const metrics = new Metrics();
  const timer: TimerRow = { session_id: 'ffffffff-0000-4000-8000-000000000000' as SessionId, partition: 0, revision: 0, ...row };
  const rows = {
    first: async (_partition: number, kind: string) => (kind === timer.kind ? [timer] : []),
    count: async () => 1,
    adopt: async () => undefined,
    remove: async () => undefined,
    renew: async () => undefined,
  };
  const run = { execute: () => new Promise((resolve) => stopping.addEventListener('abort', () => resolve('deleted'))) };
  const share = new TopicShare({ partitionOf: () => 0 });
  const parts = { rows, share, run, waits: timerWaits(MINUTE), clock, log: new SilentLog(), metrics, stopping, reportEvery: 5 };
  const timers = new SessionTimers(parts as never);
  timers.assigned({ partitions: 1, owned: [0] });
  return { metrics, running: timers.run() };
};

describe('session timers by the clock of the system', () => {
  it('work on a row when it is due, also when no row was known to be due as their pause began', async () => {
    const clock = new SystemClock();
    const stopping = new AbortController();
    const stored: TimerRow[] = [];
    const done: string[] = [];
    const looks: string[] = [];
    const rows = {
      first: async (_partition: number, kind: string) => (looks.push(kind), stored.filter((row) => row.kind === kind)),
      count: async () => 0,
      adopt: async () => undefined,
      remove: async (ids: readonly string[]) => void stored.splice(0, ids.length),
      renew: async () => undefined,
    };
    const run = { execute: async (id: string) => (done.push(id), 'deleted') };
    const share = new TopicShare({ partitionOf: () => 0 });
    const parts = { rows, share, run, waits: timerWaits(0), clock, log: new SilentLog(), metrics: new Metrics(), stopping: stopping.signal };
    const timers = new SessionTimers(parts as never);
    timers.assigned({ partitions: 1, owned: [0] });
    const running = timers.run();
    await eventually(() => looks.length === 3);
    const row = {
      session_id: 'ffffffff-0000-4000-8000-000000000000' as SessionId,
      partition: 0,
      revision: 0,
      kind: 'deadline',
      at: clock.now() + 50,
    } as const;
    stored.push(row);
    timers.noted(row);
    // Less than the ten seconds after which the timers read the rows in any case.
    await eventually(() => done.length === 1, { within: 8_000 });
    stopping.abort();
    await running;
  });
});

describe('the lag of session timers', () => {
  it.each([
    ['deadline', 0],
    ['result', MINUTE],
    ['deletion', MINUTE],
  ] as const)('is the time since work of the kind %s was due, and its metrics stay until it is done', async (kind, wait) => {
    const clock = new FixedClock();
    const stopping = new AbortController();
    const { metrics, running } = hangingTimers({ kind, at: clock.now() - wait - 90_000 }, clock, stopping.signal);
    const shown = async (of: Metrics['sessionTimersLag']) =>
      Object.fromEntries((await of.get()).values.map(({ labels, value }) => [String(labels.kind), value]));
    const none = { deadline: 0, result: 0, deletion: 0 };
    await eventually(async () => isDeepStrictEqual(await shown(metrics.sessionTimersLag), { ...none, [kind]: 90 }));
    await eventually(async () => isDeepStrictEqual(await shown(metrics.sessionTimersDue), { ...none, [kind]: 1 }));
    clock.advance(10_000);
    await eventually(async () => (await shown(metrics.sessionTimersLag))[kind] === 100);
    stopping.abort();
    await running;
  });
});
