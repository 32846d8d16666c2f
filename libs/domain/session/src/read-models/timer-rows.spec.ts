import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';

import type { SessionId } from '#kernel';
import type { ReadModel } from '#engines/read-model';
import { Metrics } from '#telemetry';

import { TimerRows } from './timer-rows.js';
import type { TimerRow, TimerTables } from './timer-tables.js';

const row = (session: string, revision: number): TimerRow => ({ session_id: session as SessionId, partition: 0, kind: 'deadline', at: 1, revision });

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('stores rows that come within some milliseconds by one statement, and tells each caller after it', async () => {
  const stored = jest.fn<() => Promise<void>>().mockResolvedValue(undefined);
  const applied = jest.fn();
  const rows = new TimerRows({ rows: stored, applied } as unknown as ReadModel<TimerTables>, new Metrics());
  const told: string[] = [];
  const note = (session: string): void => void rows.note(row(session, 0), `event of ${session}`).then(() => told.push(session));
  note('a');
  await jest.advanceTimersByTimeAsync(5);
  note('b');
  expect([stored.mock.calls.length, told]).toEqual([0, []]);
  await jest.advanceTimersByTimeAsync(15);
  expect([stored.mock.calls.length, applied.mock.calls.length, told]).toEqual([1, 2, ['a', 'b']]);
  note('c');
  await jest.advanceTimersByTimeAsync(20);
  expect([stored.mock.calls.length, told]).toEqual([2, ['a', 'b', 'c']]);
});
