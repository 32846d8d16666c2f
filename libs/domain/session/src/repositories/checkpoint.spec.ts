import { readFile } from 'node:fs/promises';

import { describe, expect, it } from '@jest/globals';

import { NO_STREAM, SqliteEventStore, streamName, UnitOfWork } from '#engines/event-store';
import { type DomainEvent, type EventId } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { Checkpoint } from './checkpoint.js';

/** Stored events are read for ever: never change this file, add another one for a new version. */
const GOLDEN = JSON.parse(await readFile(new URL('checkpoint.v1.json', import.meta.url), 'utf8')) as DomainEvent[];

describe('a stored checkpoint', () => {
  it('is a place with its marks, beyond the numbers of JavaScript, and moves forward only', async () => {
    const clock = new FixedClock();
    const store = new SqliteEventStore({ path: ':memory:', clock });
    await store.append(streamName('checkpoint', 'relay'), NO_STREAM, GOLDEN);
    const checkpoint = new Checkpoint(new UnitOfWork(store, clock), 'relay');
    const stored = {
      position: 18_446_744_073_709_551_000n,
      id: '11111111-1111-4111-8111-111111111111',
      marks: [{ position: 18_446_744_073_709_550_000n, id: '22222222-2222-4222-8222-222222222222' }],
    };
    expect(await checkpoint.load()).toEqual(stored);
    const id = '33333333-3333-4333-8333-333333333333' as EventId;
    await checkpoint.move({ position: 17n, id });
    expect(await checkpoint.load()).toEqual(stored);
    await checkpoint.move({ position: 18_446_744_073_709_551_001n, id });
    expect(await checkpoint.load()).toEqual({ position: 18_446_744_073_709_551_001n, id, marks: [] });
    expect(await checkpoint.position()).toBe(18_446_744_073_709_551_001n);
    await store.close();
  });
});
