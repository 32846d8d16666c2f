import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { NO_GIVEN_ENGINES, type Phone, RelyingParty, runDirectory, StandaloneService, Staff } from '../support/index.js';
import { flushesDuring } from './support/flushes.js';

/*
 * What a login asks of the disk: each of its five requests is on disk before it is answered, so it costs five flushes, and no more. The offsets of the embedded
 * bus are flushed beside them, at most once a second for each group of consumers; the store's own rows say how often.
 */
const LOGINS = 40;
const REQUESTS = 5;
const STORE = 'countersign.sqlite';
const OF_A_LOGIN = ['SessionCreated', 'SessionScanned', 'PinAccepted', 'SessionConfirmed', 'SessionCompleted', 'CodeRedeemed'];
/** Of a login: what happens once in many, such as a shorter stream of a device, or SQLite's moving of a log into its file. */
const RARE = 0.1;
/** Of the log: before its pages go into the file, and when it begins anew. */
const FLUSHES_OF_A_CHECKPOINT = 2;
/** Milliseconds between an event's time and the flush that it waits for; more than enough. */
const UNTIL_FLUSHED = 1_000;

let service: StandaloneService;
let client: RelyingParty;
let phone: Phone;

beforeAll(async () => {
  service = await StandaloneService.start('flushes', NO_GIVEN_ENGINES);
  client = await RelyingParty.register(service);
  phone = await new Staff(service).newPhone();
  await client.subjectOf(phone);
});

afterAll(() => service.stop());

/** How many events of each type, and commits of offsets, the store took since then. Only when the service has ended: it holds the file alone. */
const storedSince = (time: number): { readonly events: Readonly<Record<string, number>>; readonly offsets: number } => {
  using database = new DatabaseSync(join(service.dataDirectory, STORE), { readOnly: true });
  const rows = database
    .prepare(
      `SELECT category, type, count(*) AS count FROM events JOIN streams ON streams.id = events.stream WHERE at >= ? GROUP BY category, type ORDER BY type`,
    )
    .all(time);
  const [offsets, events] = [true, false].map((wanted) => rows.filter(({ category }) => (category === 'busoffset') === wanted));
  return {
    events: Object.fromEntries(events!.map(({ type, count }) => [String(type), Number(count)])),
    offsets: sum(offsets!.map(({ count }) => Number(count))),
  };
};

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

describe('a login', () => {
  it('costs one flush of the disk for each of its five requests, and stores nothing else', async () => {
    let began = 0;
    const flushes = await flushesDuring(service.pid!, join(runDirectory(), 'flushes.strace'), async () => {
      began = Date.now();
      for (let login = 0; login < LOGINS; login += 1) await client.subjectOf(phone);
    });
    await service.stop();
    const { events } = storedSince(began);
    const { offsets } = storedSince(began - UNTIL_FLUSHED);
    const counts = { flushes: Object.fromEntries(flushes), events, offsets };
    process.stdout.write(`${LOGINS} logins: ${JSON.stringify(counts)}\n`);
    expect(events).toMatchObject(Object.fromEntries(OF_A_LOGIN.map((type) => [type, LOGINS])));
    const others = sum(Object.values(events)) - OF_A_LOGIN.length * LOGINS;
    expect(others).toBeLessThanOrEqual(RARE * LOGINS);
    const log = flushes.get(`${STORE}-wal`) ?? 0;
    expect(log).toBeGreaterThanOrEqual(REQUESTS * LOGINS);
    // Others flush together with those of their second, so this is the most. One flush more for each login would be above it.
    const checkpoints = flushes.get(STORE) ?? 0;
    expect(log).toBeLessThanOrEqual(REQUESTS * LOGINS + offsets + others + FLUSHES_OF_A_CHECKPOINT * checkpoints);
    // The read models are flushed only when SQLite moves their log into the file.
    const elsewhere = sum([...flushes.values()]) - log - checkpoints;
    expect(elsewhere).toBeLessThanOrEqual(RARE * LOGINS);
  });
});
