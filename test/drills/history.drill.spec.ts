import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { SqliteEventStore, streamName } from '#engines/event-store';
import { HistoryGuard } from '#engines/transparency-log';
import { SystemClock } from '#kernel';
import { authenticated } from '#testkit/event-store/authenticated';
import { eventually } from '#testkit/kernel/eventually';
import { killAfterLines } from '#testkit/kernel/typescript-process';
import { logIn, writerOver } from '#testkit/transparency-log/anchored-store';

import { expectError, expectOk, NO_GIVEN_ENGINES, type Phone, RelyingParty, runDirectory, StandaloneService, Staff } from '../support/index.js';
import { bundleProgram } from './support/bundle-program.js';
import { metric } from './support/metric.js';

/** The rounds in which a writer is killed. */
const KILLS = 100;

let service: StandaloneService;
let staff: Staff;
let client: RelyingParty;
let old: Phone;
let young: Phone;
const anchor = join(runDirectory(), 'history-anchor');
const kept = join(runDirectory(), 'history-kept');

beforeAll(async () => {
  mkdirSync(anchor);
  service = await StandaloneService.start('history', { ...NO_GIVEN_ENGINES, ANCHOR_DIR: anchor });
  staff = new Staff(service);
  client = await RelyingParty.register(service);
  old = await staff.newPhone();
  await published();
});

afterAll(() => service.stop());

/** Leaves under the newest checkpoint. */
const size = (): number => {
  const path = join(anchor, 'checkpoint');
  return existsSync(path) ? Number(readFileSync(path, 'utf8').split('\n')[1]) : 0;
};
/** Waits for a checkpoint over all that was stored up to now. */
const published = async (): Promise<void> => {
  await eventually(() => size() > 0, { what: 'a checkpoint' });
  const before = size();
  await RelyingParty.register(service);
  await eventually(() => size() > before, { what: 'a further checkpoint' });
};
const valueOf = (name: string): Promise<number | undefined> => metric({ url: service.baseUrls[0]! }, name);
const register = () =>
  staff.call('POST', '/clients', { name: `shop ${Math.trunc(performance.now() * 1_000)}`, redirect_uris: ['https://shop.example/cb'] });
const FILES = 'countersign.sqlite*';
/** The files of the store of a process that was ended. */
const copy = (from: string, to: string): void => {
  for (const file of globSync(FILES, { cwd: to })) rmSync(join(to, file));
  for (const file of globSync(FILES, { cwd: from })) copyFileSync(join(from, file), join(to, file));
};

/** On the file of the store of a process that was ended. */
const onStore = (work: (database: DatabaseSync) => void): void => {
  using database = new DatabaseSync(join(service.dataDirectory, 'countersign.sqlite'));
  work(database);
};

describe('a history whose checkpoints lie outside of the store', () => {
  it('is not taken back by an older copy of the store: changes wait, logins go on but for the phone whose enrolment is missing', async () => {
    const older = join(kept, 'older');
    const newer = join(kept, 'newer');
    for (const folder of [older, newer]) mkdirSync(folder, { recursive: true });
    await service.stop();
    copy(service.dataDirectory, older);
    await service.restart();
    young = await staff.newPhone();
    await published();
    await service.stop();
    copy(service.dataDirectory, newer);

    copy(older, service.dataDirectory);
    await service.restart();
    expect(await valueOf('history_incomplete')).toBe(1);
    expectError(await register(), 503, 'service_unavailable');
    expectError(await staff.call('GET', '/audit'), 503, 'service_unavailable');
    await client.completed(old);
    expect((await young.show()).status).not.toBe(200);

    await service.stop();
    copy(newer, service.dataDirectory);
    await service.restart();
    expect(await valueOf('history_incomplete')).toBe(0);
    expect((await register()).status).toBe(201);
    await client.completed(young);
  });

  it('is not taken back by an emptied audit trail', async () => {
    await published();
    await service.stop();
    const newest = join(kept, 'newest');
    mkdirSync(newest, { recursive: true });
    copy(service.dataDirectory, newest);
    onStore((database) => {
      database.exec("DELETE FROM events WHERE stream = (SELECT id FROM streams WHERE name = 'audit-log')");
      database.exec("DELETE FROM streams WHERE name = 'audit-log'");
    });
    await service.restart();
    expect(await valueOf('history_incomplete')).toBe(1);
    expectError(await staff.call('GET', '/audit'), 503, 'service_unavailable');
    await client.completed(old);
    await service.stop();
    onStore((database) => {
      database.prepare('ATTACH DATABASE ? AS whole').run(join(newest, 'countersign.sqlite'));
      database.exec("INSERT INTO streams SELECT * FROM whole.streams WHERE name = 'audit-log'");
      database.exec("INSERT INTO events SELECT * FROM whole.events WHERE stream = (SELECT id FROM whole.streams WHERE name = 'audit-log')");
    });
    await service.restart();
    expectOk(await staff.call('GET', '/audit'));
  });

  it('raises an alarm while its place is away, and goes on when it is back', async () => {
    renameSync(anchor, `${anchor}.away`);
    expect((await register()).status).toBe(201);
    await eventually(async () => ((await valueOf('history_checkpoint_failures_total')) ?? 0) > 0, { what: 'a failed checkpoint', within: 30_000 });
    await client.completed(old);
    renameSync(`${anchor}.away`, anchor);
    await published();
    expect(await valueOf('history_incomplete')).toBe(0);
  });

  it('loses nothing and raises no alarm when the service is killed between an append and its checkpoint', async () => {
    const clients: RelyingParty[] = [];
    // On a busy machine a checkpoint may come before the kill: such a round does not count.
    for (let unpublished = 0; unpublished < 3;) {
      const before = size();
      clients.push(await RelyingParty.register(service));
      await service.kill();
      if (size() === before) unpublished += 1;
      await service.restart();
      expect([await valueOf('history_incomplete'), await valueOf('history_losses_total')]).toEqual([0, 0]);
    }
    await published();
    for (const one of clients) expect((await one.post()).status).toBe(200);
    expect(await valueOf('history_incomplete')).toBe(0);
  });

  it(`loses nothing and raises no alarm when a writer is killed anywhere between appends and checkpoints, ${KILLS} times`, async () => {
    const folder = join(runDirectory(), 'killed-writer');
    mkdirSync(join(folder, 'anchor'), { recursive: true });
    const path = join(folder, 'store.sqlite');
    const program = await bundleProgram(PROGRAM, folder);
    const ends = new Map<string, number>();
    let stored = -1;
    for (let round = 0; round < KILLS; round++) {
      // Every second round the writer kills itself exactly between two steps; else the drill kills it, mostly in the midst of one.
      const place = 1 + ((round >> 1) % 16);
      const child = spawn(process.execPath, [program, path, join(folder, 'anchor'), ...(round % 2 === 0 ? [String(place)] : [])], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const lines = await killAfterLines(child, place);
      ends.set(lines.at(-1)!.split(' ')[0]!, (ends.get(lines.at(-1)!.split(' ')[0]!) ?? 0) + 1);
      stored = Math.max(stored, ...lines.filter((line) => line.startsWith('stored ')).map((line) => Number(line.slice(7))));
      await checkKilled(path, join(folder, 'anchor'), stored);
    }
    expect([...ends.keys()].toSorted()).toEqual(['append', 'checkpoint', 'published', 'stored']);
  });
});

const PROGRAM = join(import.meta.dirname, '../../testkit/transparency-log/write-history.ts');

/** A process that begins over the files finds no loss, publishes what was not published, and misses nothing that was stored. */
const checkKilled = async (path: string, folder: string, stored: number): Promise<void> => {
  const sqlite = new SqliteEventStore({ path, clock: new SystemClock() });
  const store = authenticated(sqlite);
  const losses: string[] = [];
  const guard = (): HistoryGuard =>
    new HistoryGuard({
      store,
      logs: [logIn(folder)],
      truncatedBefore: () => [],
      heads: [streamName('right', 'a')],
      lost: ({ reason }) => losses.push(reason),
      unavailable: (place) => losses.push(place),
    });
  await guard().look();
  // The first call may publish what was noted, the second one what was stored since.
  const writer = writerOver(store, folder);
  for (let call = 0; call < 2; call++) await writer.write(new AbortController().signal);
  const after = guard();
  await after.look();
  const events = await store.read(streamName('right', 'a'));
  expect([losses, after.loss, after.known.size]).toEqual([[], undefined, events.length]);
  expect(events.length).toBeGreaterThan(stored);
  await sqlite.close();
};
