import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { NO_STREAM, SqliteEventStore, type StreamName, streamName } from '#engines/event-store';
import { SystemClock, SystemRandomness } from '#kernel';

/** Measures the SQLite event store on this disk: `node dist/lab/bench/event-store.bench.js`. */
const SECONDS = 3;
const SESSIONS = 2_000;
const EVENTS = 6;
const text = 'x'.repeat(500);

const randomness = new SystemRandomness();
const folder = mkdtempSync(join(tmpdir(), 'event-store-bench-'));
const store = new SqliteEventStore({ path: join(folder, 'events.db'), clock: new SystemClock() });

const event = () => ({ type: 'Happened', data: { at: Date.now(), text } });

const measure = async (name: string, callers: number, work: () => Promise<unknown>): Promise<void> => {
  const delays: number[] = [];
  const end = performance.now() + SECONDS * 1_000;
  const caller = async (): Promise<void> => {
    for (;;) {
      const begun = performance.now();
      if (begun >= end) return;
      await work();
      delays.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  delays.sort((a, b) => a - b);
  const quantile = (part: number): string => (delays[Math.floor(delays.length * part)] ?? 0).toFixed(3);
  console.log(`${name.padEnd(34)}${Math.round(delays.length / SECONDS)}/s  p50 ${quantile(0.5)} ms  p99 ${quantile(0.99)} ms`);
};

const sessions: StreamName[] = [];
const session = (): StreamName => sessions[Math.floor(Math.random() * sessions.length)] as StreamName;
for (let number = 0; number < SESSIONS; number += 1) sessions.push(streamName('session', randomness.uuid()));
await Promise.all(sessions.map((stream) => store.append(stream, NO_STREAM, Array.from({ length: EVENTS }, event))));

const append = () => store.append(streamName('new', randomness.uuid()), NO_STREAM, [event()]);
await measure('append, 1 caller', 1, append);
await measure('append, 50 callers', 50, append);
await measure('append, 500 callers', 500, append);
await measure(`read ${EVENTS} events, recent`, 1, () => store.read(session()));
await measure(`read ${EVENTS} events, from the file`, 1, () => store.read(session(), {}));

const counted = performance.now();
let handed = 0;
const leave = new AbortController();
for await (const item of store.subscribe({ categories: ['new'], signal: leave.signal })) {
  if (item === 'caught-up') leave.abort();
  else handed += 1;
}
console.log(`catch-up of a subscription        ${Math.round(handed / ((performance.now() - counted) / 1_000))}/s`);

await store.close();
rmSync(folder, { recursive: true });
