import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { SystemClock } from '#kernel';
import { killAfterLines, TYPESCRIPT_ARGUMENTS } from '#testkit/kernel/typescript-process';

import { EventStoreUnavailable, streamName } from '../event-store.js';
import { SqliteEventStore } from './sqlite-event-store.js';

const NODE = [process.execPath, ...TYPESCRIPT_ARGUMENTS] as const;
const PROGRAM = join(import.meta.dirname, '../../../../../testkit/event-store/sqlite/append-forever.ts');

const start = (command: string, ...args: readonly string[]) => spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'], env: {} });

describe('a process that dies', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'event-store-'));
    path = join(folder, 'events.db');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Kills it after so many lines and answers the ids by outcome. */
  const watch = async (child: ChildProcess, lines: number): Promise<{ acknowledged: string[]; refused: string[] }> => {
    const outcomes = await killAfterLines(child, lines);
    const ids = (sign: string): string[] => outcomes.filter((line) => line.length === 37 && line.startsWith(sign)).map((line) => line.slice(1));
    return { acknowledged: ids('+'), refused: ids('-') };
  };

  const lengths = async (ids: readonly string[]): Promise<Set<number>> => {
    const store = new SqliteEventStore({ path, clock: new SystemClock() });
    const streams = await Promise.all(ids.map((id) => store.read(streamName('pair', id))));
    await store.close();
    return new Set(streams.map(({ length }) => length));
  };

  /** How many events each stream of the store has. */
  const allLengths = async (): Promise<Set<number>> => {
    const store = new SqliteEventStore({ path, clock: new SystemClock() });
    const counts = new Map<string, number>();
    const leave = new AbortController();
    for await (const item of store.subscribe({ categories: ['pair'], signal: leave.signal })) {
      if (item === 'caught-up') leave.abort();
      else counts.set(item.stream, (counts.get(item.stream) ?? 0) + 1);
    }
    await store.close();
    return new Set(counts.values());
  };

  it('by kill -9 under load loses no acknowledged append and leaves none half-done', async () => {
    for (let time = 0; time < 3; time += 1) {
      const child = start(...NODE, PROGRAM, path);
      const { acknowledged } = await watch(child, 1_500);
      expect(acknowledged.length).toBeGreaterThanOrEqual(1_500);
      expect(await lengths(acknowledged)).toEqual(new Set([2]));
      expect(await allLengths()).toEqual(new Set([2]));
    }
  });

  it('keeps other processes out while it runs', async () => {
    const child = start(...NODE, PROGRAM, path);
    await once(child.stdout, 'data');
    expect(() => new SqliteEventStore({ path, clock: new SystemClock() })).toThrow(EventStoreUnavailable);
    await watch(child, 1);
    expect(await allLengths()).toEqual(new Set([2]));
  });

  it('refuses appends when the disk is full, and keeps all that it acknowledged', async () => {
    // A limit on the size of files, 2 MiB, in place of a full disk.
    const child = start('bash', '-c', `trap '' XFSZ; ulimit -f 2048; exec "$@"`, 'bash', ...NODE, PROGRAM, path);
    const { acknowledged, refused } = await watch(child, 6_000);
    expect(acknowledged.length).toBeGreaterThan(100);
    expect(refused.length).toBeGreaterThan(100);
    expect(await lengths(acknowledged)).toEqual(new Set([2]));
    expect(await lengths(refused)).toEqual(new Set([0]));
  });
});
