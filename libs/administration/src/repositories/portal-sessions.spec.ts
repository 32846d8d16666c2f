import { readFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { NO_STREAM, SqliteEventStore, streamName } from '#event-store';
import { type DomainEvent, FixedClock, LocatingTokens, Secret, StaticKeyRing, SystemRandomness } from '#kernel';

import { PortalSessions } from './portal-sessions.js';

/** Stored events are read for ever: never change this file, add another one for a new version. */
const GOLDEN = JSON.parse(await readFile(new URL('portal-sessions.v1.json', import.meta.url), 'utf8')) as DomainEvent[];
const ID = '33333333-3333-4333-8333-333333333333';
const SUBJECT = 'c7e2a5a0-0000-8000-8000-000000000000';

const ring = new StaticKeyRing([{ id: 'k1', key: new Secret(Buffer.alloc(32, 1)) }]);
let clock: FixedClock;
let store: SqliteEventStore;
let sessions: PortalSessions;
beforeEach(() => {
  clock = new FixedClock(1_767_225_650_000);
  store = new SqliteEventStore({ path: ':memory:', clock });
  sessions = new PortalSessions(store, clock, new SystemRandomness(), ring, { of: async () => [] });
});
afterEach(() => store.close());

/** Stores the first events of the fixture. Answers the cookie of the session. */
const stored = async (count: number): Promise<string> => {
  const { ids } = await store.append(streamName('portalsession', ID), NO_STREAM, GOLDEN.slice(0, count));
  return new LocatingTokens(ring, 'portal-session').make(ID, ids[0]!);
};

describe('the stored events of a login at the portal', () => {
  it('begin: the cookie shows the person until the end of the hour', async () => {
    const cookie = await stored(1);
    expect(await sessions.find(cookie)).toMatchObject({ subjectId: SUBJECT, expiresAt: 1_767_229_200_000 });
    clock.advance(3_600_000);
    expect(await sessions.find(cookie)).toBeUndefined();
  });

  it('end: the cookie shows no person', async () => {
    expect(await sessions.find(await stored(2))).toBeUndefined();
  });
});
