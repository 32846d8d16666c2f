import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { FixedClock } from '#kernel';

import { NO_STREAM, type StreamName, streamName } from '../event-store.js';
import { history } from '../history.js';
import { SqliteEventStore } from './sqlite-event-store.js';

/** The event store of a data directory of the last release before the envelope: logins and phones of the sandbox. Its keys are lost. */
const OLD = join(import.meta.dirname, '../../../../../testkit/event-store/sqlite/event-store.v1.sqlite');
const REDEEMED = streamName('session', '1ff0fa7e-e67c-4407-9586-b64d97f19b8b');

describe('an event store of a release before the envelope', () => {
  let folder: string;
  let path: string;
  let store: SqliteEventStore;
  const clock = new FixedClock();

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'event-store-'));
    path = join(folder, 'events.db');
    copyFileSync(OLD, path);
    store = new SqliteEventStore({ path, clock });
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  const rows = (file: string, what: string): unknown[] => {
    const database = new DatabaseSync(file, { readOnly: true });
    const found = database.prepare(`SELECT ${what} FROM events ORDER BY position`).all();
    database.close();
    return found;
  };
  const onDisk = (text: string): boolean => readdirSync(folder).some((file) => readFileSync(join(folder, file)).includes(text));

  it('keeps every event with its place, its id and its data, and shows no metadata', async () => {
    await store.close();
    const columns = 'position, stream, revision, erased, at, id, type, data';
    const old = join(folder, 'old.db'); // SQLite leaves files beside what it opens
    copyFileSync(OLD, old);
    expect(rows(path, columns)).toEqual(rows(old, columns));
    store = new SqliteEventStore({ path, clock });
    const events = await store.read(REDEEMED);
    expect(events.map(({ type }) => type)).toEqual(['SessionCreated', 'SessionScanned', 'SessionConfirmed', 'SessionCompleted', 'CodeRedeemed']);
    expect(events.filter((event) => 'metadata' in event)).toEqual([]);
  });

  it('goes on at the next revision and the next position, with metadata', async () => {
    expect(await store.append(REDEEMED, 4, [{ type: 'Happened', data: {} }])).toMatchObject({ revision: 5 });
    const last = (await store.read(REDEEMED)).at(-1);
    expect(last).toMatchObject({ position: 79n, metadata: { v: 1 } });
    await store.close();
    store = new SqliteEventStore({ path, clock });
    expect((await store.read(REDEEMED)).at(-1)).toEqual(last);
  });

  it('gives no position twice, also when the newest events are gone', async () => {
    await store.close();
    copyFileSync(OLD, path);
    const old = new DatabaseSync(path);
    old.exec('DELETE FROM events WHERE position > 70');
    old.close();
    store = new SqliteEventStore({ path, clock });
    const stream = streamName('test', 'a');
    await store.append(stream, NO_STREAM, [{ type: 'Happened', data: {} }]);
    expect((await store.read(stream))[0]?.position).toBe(79n);
  });

  it('erases old events from the disk like new ones', async () => {
    const secrets: string[] = [];
    const streams = new Set<StreamName>();
    for await (const { stream, data } of history(store, ['identitydata', 'session'])) {
      streams.add(stream);
      if (typeof data['sealed'] === 'string') secrets.push(data['sealed'].slice(0, 40));
    }
    expect(secrets.length).toBeGreaterThan(5);
    expect(secrets.filter(onDisk)).toEqual(secrets);
    for (const stream of streams) await store.tombstone(stream);
    await store.sweep();
    expect(secrets.filter(onDisk)).toEqual([]);
  });

  it('leaves nothing of the old table in the pages that it frees', async () => {
    await store.close();
    const bytes = readFileSync(path).toString('latin1');
    const stored = rows(path, 'id, data') as { id: string; data: string }[];
    const all = stored.map(({ id, data }) => id + data).join(' ');
    const copies = stored.filter(({ id }) => bytes.split(id).length !== all.split(id).length);
    expect(copies).toEqual([]);
    store = new SqliteEventStore({ path, clock });
  });
});
