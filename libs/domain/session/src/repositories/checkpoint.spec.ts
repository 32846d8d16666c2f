import { readFile } from 'node:fs/promises';

import { describe, expect, it } from '@jest/globals';

import { NO_STREAM, SqliteEventStore, streamName, UnitOfWork } from '#engines/event-store';
import { type DomainEvent, FixedClock } from '#kernel';

import { Checkpoint } from './checkpoint.js';

/** Stored events are read for ever: never change this file, add another one for a new version. */
const GOLDEN = JSON.parse(await readFile(new URL('checkpoint.v1.json', import.meta.url), 'utf8')) as DomainEvent[];

describe('a stored checkpoint', () => {
  it('is a position beyond the numbers of JavaScript, and moves forward only', async () => {
    const clock = new FixedClock();
    const store = new SqliteEventStore({ path: ':memory:', clock });
    await store.append(streamName('checkpoint', 'relay'), NO_STREAM, GOLDEN);
    const checkpoint = new Checkpoint(new UnitOfWork(store, clock), 'relay');
    expect(await checkpoint.load()).toBe(18_446_744_073_709_551_000n);
    await checkpoint.move(17n);
    expect(await checkpoint.load()).toBe(18_446_744_073_709_551_000n);
    await checkpoint.move(18_446_744_073_709_551_001n);
    expect(await checkpoint.load()).toBe(18_446_744_073_709_551_001n);
    await store.close();
  });
});
