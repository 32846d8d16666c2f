import { readFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { NO_STREAM, SqliteEventStore, streamName } from '#engines/event-store';
import {
  type DeviceId,
  type DomainEvent,
  FixedClock,
  type IdentityId,
  LocatingTokens,
  Secret,
  StaticKeyRing,
  type SubjectId,
  SystemRandomness,
} from '#kernel';

import { PortalSessions } from './portal-sessions.js';

/** Stored events are read for ever: never change this file, add another one for a new version. */
const golden = async (name: string) => JSON.parse(await readFile(new URL(name, import.meta.url), 'utf8')) as DomainEvent[];
const GOLDEN = await golden('portal-sessions.v1.json');
const ID = '33333333-3333-4333-8333-333333333333';
const SUBJECT = 'c7e2a5a0-0000-8000-8000-000000000000' as SubjectId;
const MARI = '44444444-4444-4444-8444-444444444444' as IdentityId;
const PHONE = '55555555-5555-4555-8555-555555555555' as DeviceId;

const ring = new StaticKeyRing([{ id: 'k1', key: new Secret(Buffer.alloc(32, 1)) }]);
let clock: FixedClock;
let store: SqliteEventStore;
let sessions: PortalSessions;
/** The phones that count. */
let phones: Map<DeviceId, IdentityId>;
beforeEach(() => {
  clock = new FixedClock(1_767_225_650_000);
  store = new SqliteEventStore({ path: ':memory:', clock });
  phones = new Map([[PHONE, MARI]]);
  sessions = new PortalSessions({
    store,
    clock,
    randomness: new SystemRandomness(),
    ring,
    members: { byPerson: async () => () => [] },
    living: { execute: async (deviceId) => phones.get(deviceId) },
  });
});
afterEach(() => store.close());

/** Stores the first events of the fixture. Answers the cookie of the session. */
const stored = async (count: number): Promise<string> => {
  const { ids } = await store.append(streamName('portalsession', ID), NO_STREAM, GOLDEN.slice(0, count));
  return new LocatingTokens(ring, 'portal-session').make(ID, ids[0]!);
};

describe('the stored events of a login at the portal', () => {
  it('begin: the cookie shows the person and the phone until the end of the hour', async () => {
    const cookie = await stored(1);
    expect(await sessions.find(cookie)).toMatchObject({ subjectId: SUBJECT, deviceId: PHONE, expiresAt: 1_767_229_200_000 });
    clock.advance(3_600_000);
    expect(await sessions.find(cookie)).toBeUndefined();
  });

  it('end: the cookie shows no person', async () => {
    expect(await sessions.find(await stored(2))).toBeUndefined();
  });
});

describe('a login at the portal', () => {
  it('counts as long as its phone does', async () => {
    const cookie = (await sessions.begin(SUBJECT, PHONE)).cookie.reveal();
    expect(await sessions.find(cookie)).toMatchObject({ subjectId: SUBJECT, deviceId: PHONE });
    phones.clear();
    expect(await sessions.find(cookie)).toBeUndefined();
  });
});
