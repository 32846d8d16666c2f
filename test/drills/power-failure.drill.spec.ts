import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { beforeAll, describe, expect, it } from '@jest/globals';

import { Random } from '#testkit/asic/mutants/random';
import { killAfterLines } from '#testkit/kernel/typescript-process';

import { runDirectory } from '../support/index.js';
import { bundleProgram } from './support/bundle-program.js';
import { diskAfter, type Lucky } from './support/disk-after-power-failure.js';
import { type DiskOperation, readDiskTrace, traceArguments } from './support/disk-trace.js';

/*
 * A kill leaves everything written to the operating system. A failure of the power leaves what was flushed, and any part of the rest. Here a process writes under strace, and its files are built
 * as the disk may have them at each of its flushes: so the order of writes and flushes is held, which the process decides itself (ADR 0153, ADR 0160).
 */
interface Written {
  readonly program: string;
  /** How many lines the process writes before it is killed: it has moved its log into the main file several times by then. */
  readonly lines: number;
  /** Whether a pair is on disk when the process has said so. */
  readonly isPromised: boolean;
  /** Makes what the program makes first, where the disk has not even that. */
  readonly first?: string;
  /** The pairs with the number of their halves. */
  readonly pairs: string;
}

const WRITTEN: Readonly<Record<string, Written>> = {
  'the event store': {
    program: 'testkit/event-store/sqlite/append-forever.ts',
    lines: 2_200,
    isPromised: true,
    pairs: `SELECT substr(s.name, 6) AS pair, count(e.position) AS halves FROM streams s LEFT JOIN events e ON e.stream = s.id GROUP BY s.id`,
  },
  'the read models': {
    program: 'testkit/read-model/change-forever.ts',
    lines: 1_200,
    isPromised: false,
    first: 'CREATE TABLE IF NOT EXISTS pairs (pair)',
    pairs: 'SELECT CAST(pair AS TEXT) AS pair, count(*) AS halves FROM pairs GROUP BY pair',
  },
};
/** Moves of the log into the main file that a run has at least. */
const MOVES = 3;

/** What reached the disk without having been asked to. */
const LUCK: Readonly<Record<string, () => Lucky>> = {
  nothing: () => () => false,
  'the main file alone': () => (path) => !path.endsWith('-wal'),
  'the log alone': () => (path) => path.endsWith('-wal'),
  'a half, by chance': () => {
    const random = new Random(20_261_128);
    return () => random.below(2) === 1;
  },
};

describe.each(Object.entries(WRITTEN))('a failure of the power, in %s', (name, { program, lines, isPromised, first = '', pairs }) => {
  const folder = join(runDirectory(), `power-failure-${name.replaceAll(' ', '-')}`);
  const path = join(folder, 'written.sqlite');
  let operations: readonly DiskOperation[];

  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    const bundled = await bundleProgram(join(import.meta.dirname, '../..', program), folder);
    const trace = join(folder, 'trace');
    const child = spawn('strace', [...traceArguments(trace), process.execPath, bundled, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    await killAfterLines(child, lines, () => process.kill(-child.pid!, 'SIGKILL'));
    operations = await readDiskTrace(trace);
    rmSync(trace);
  });

  const isSync = (operation: DiskOperation | undefined, file: string): boolean => operation?.kind === 'sync' && operation.path === file;
  const said = (count: number): readonly string[] =>
    operations.slice(0, count).flatMap((operation) => (operation.kind === 'line' && operation.text.startsWith('+') ? [operation.text.slice(1)] : []));
  /** The places of the trace before and after each flush of the main file, and of some flushes of the log; from the first answer on. */
  const places = (): readonly number[] => {
    const first = operations.findIndex(({ kind }) => kind === 'line');
    const syncs = [...operations.keys()].filter((place) => place > first && operations[place]!.kind === 'sync');
    const chosen = syncs.filter((place, count) => isSync(operations[place], path) || isSync(operations[place + 1], path) || count % 40 === 0);
    return [...new Set(chosen.flatMap((place) => [place, place + 1, place + 2, Math.max(first + 1, place - 3)]))];
  };

  it.each(Object.entries(LUCK))(
    'loses nothing that was promised and leaves a whole file, when of what no flush had asked for the disk has %s',
    (luck, lucky) => {
      expect(operations.filter((operation) => isSync(operation, path)).length).toBeGreaterThanOrEqual(MOVES);
      const cuts = places();
      expect(cuts.length).toBeGreaterThan(20);
      const disk = join(folder, 'disk.sqlite');
      const isLucky = lucky();
      for (const cut of cuts) {
        for (const end of ['', '-wal']) writeFileSync(disk + end, diskAfter(operations, cut, path + end, isLucky));
        using database = new DatabaseSync(disk);
        expect([luck, cut, Object.values(database.prepare('PRAGMA integrity_check').get()!)]).toEqual([luck, cut, ['ok']]);
        database.exec(first);
        const found = new Map(
          database
            .prepare(pairs)
            .all()
            .map(({ pair, halves }) => [String(pair), Number(halves)]),
        );
        expect([...found.values()].filter((halves) => halves !== 2)).toEqual([]);
        if (isPromised) expect([luck, cut, said(cut).filter((pair) => !found.has(pair))]).toEqual([luck, cut, []]);
      }
    },
  );
});
