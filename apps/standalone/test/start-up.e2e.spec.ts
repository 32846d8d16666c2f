import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { loadPlatformSettings } from '#service/config';
import { type RecordedEvent, SqliteEventStore, type SubscriptionItem } from '#engines/event-store';
import { type ClientId, type IdentityId, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { eventually } from '#testkit/kernel/eventually';
import { openPlatform, serveApplications } from '#service/platform';
import { openDataDirectory } from '#testkit/platform/open-data-directory';
import { storeFinishedSessions } from '#testkit/session/finished-sessions';

import { applications } from '../src/applications.js';
import { reservePort } from '../../../testkit/processes/reserve-port.ts';

const HOUR = 3_600_000;
const EVENTS_PER_SESSION = 5;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'start-up-'));
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(directory, { recursive: true });
});

/** A backlog that no consumer and no read model has ever read. */
const store = async (count: number): Promise<void> => {
  const from = Date.now() - HOUR;
  const [clock, randomness] = [new FixedClock(from), new SystemRandomness()];
  const events = await openDataDirectory(directory, clock);
  const [clients, persons] = [[randomness.uuid<ClientId>()], [randomness.uuid<IdentityId>()]];
  await storeFinishedSessions(events, { count, clients, persons, from, every: 1, randomness });
  await events.close();
};

/** Counts what the store hands over from now on, to readers of streams and to subscriptions. */
const countEvents = () => {
  const counts = { read: 0, subscribed: 0 };
  const { read, subscribe } = SqliteEventStore.prototype;
  jest.spyOn(SqliteEventStore.prototype, 'read').mockImplementation(async function (this: SqliteEventStore, ...given) {
    const events = await read.apply(this, given);
    counts.read += events.length;
    return events as readonly RecordedEvent<never>[];
  });
  jest.spyOn(SqliteEventStore.prototype, 'subscribe').mockImplementation(function (this: SqliteEventStore, options) {
    return counted(subscribe.call(this, options), () => counts.subscribed++) as AsyncIterable<SubscriptionItem<never>>;
  });
  return counts;
};

async function* counted(items: AsyncIterable<SubscriptionItem>, count: () => void): AsyncGenerator<SubscriptionItem, void, void> {
  for await (const item of items) {
    if (item !== 'caught-up') count();
    yield item;
  }
}

/** Starts everything. Answers what the store has handed over when the process serves, and when all of the backlog has been read. */
const start = async (sessions: number) => {
  await store(sessions);
  const counts = countEvents();
  const settings = loadPlatformSettings({ DATA_DIR: directory, PORT: String(await reservePort()), LOG_LEVEL: 'silent' });
  const platform = await openPlatform(settings);
  const beforeReady = platform.serving.then(() => ({ ...counts }));
  const served = await serveApplications(platform, applications(settings));
  try {
    const ready = await fetch(`http://127.0.0.1:${settings.port}/readyz`);
    expect(ready.status).toBe(200);
    // Three consumers and two read models.
    const all = 5 * EVENTS_PER_SESSION * sessions;
    await eventually(async () => counts.subscribed >= all, { what: 'the backlog is read', within: 30_000 });
    return await beforeReady;
  } finally {
    platform.stop();
    await served.close();
    await platform.close();
  }
};

describe('a start over sessions that no consumer has read', () => {
  it.each([0, 300])('reads no event before the process is ready, and %d sessions after it', async (sessions) => {
    expect(await start(sessions)).toEqual({ read: 0, subscribed: 0 });
  });
});
