import { readFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { NO_STREAM, SqliteEventStore, streamName } from '#engines/event-store';
import type { FindLivingPerson } from '#domain/identity';
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
const OF_PHONE = await golden('portal-sessions.of-phone.v1.json');
const ID = '33333333-3333-4333-8333-333333333333';
const SUBJECT = 'c7e2a5a0-0000-8000-8000-000000000000' as SubjectId;
const MARI = '44444444-4444-4444-8444-444444444444' as IdentityId;
const PHONE = '55555555-5555-4555-8555-555555555555' as DeviceId;

const ring = new StaticKeyRing([{ id: 'k1', key: new Secret(Buffer.alloc(32, 1)) }]);
let clock: FixedClock;
let store: SqliteEventStore;
let sessions: PortalSessions;
/** The phones that count; the times from which an unknown phone counts. */
let phones: Map<DeviceId, IdentityId>;
let since: number[];
beforeEach(() => {
  clock = new FixedClock(1_767_225_650_000);
  store = new SqliteEventStore({ path: ':memory:', clock });
  [phones, since] = [new Map([[PHONE, MARI]]), []];
  const living: Pick<FindLivingPerson, 'execute' | 'ofUnknownPhone'> = {
    execute: async (deviceId) => phones.get(deviceId),
    ofUnknownPhone: async (identityId, begun) => (since.push(begun), phones.size > 0 ? identityId : undefined),
  };
  sessions = new PortalSessions({
    store,
    clock,
    randomness: new SystemRandomness(),
    ring,
    members: { byPerson: async () => () => [] },
    living: living as FindLivingPerson,
    names: { personOf: async (subjectId) => (subjectId === SUBJECT ? MARI : undefined) },
  });
});
afterEach(() => store.close());

/** Stores the first events of the fixture. Answers the cookie of the session. */
const stored = async (count: number, from = GOLDEN): Promise<string> => {
  const { ids } = await store.append(streamName('portalsession', ID), NO_STREAM, from.slice(0, count));
  return new LocatingTokens(ring, 'portal-session').make(ID, ids[0]!);
};

describe('the stored events of a login at the portal', () => {
  it('begin: the cookie shows the person until the end of the hour', async () => {
    const cookie = await stored(1);
    expect(await sessions.find(cookie)).toMatchObject({ subjectId: SUBJECT, expiresAt: 1_767_229_200_000 });
    clock.advance(3_600_000);
    expect(await sessions.find(cookie)).toBeUndefined();
  });

  it('begin with a phone: the cookie shows the person and the phone', async () => {
    expect(await sessions.find(await stored(1, OF_PHONE))).toMatchObject({ subjectId: SUBJECT, deviceId: PHONE });
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

  it('of an older release, whose phone is not known, counts as long as no phone of the person was revoked since', async () => {
    const cookie = await stored(1);
    expect(await sessions.find(cookie)).toMatchObject({ subjectId: SUBJECT, deviceId: undefined });
    expect(since).toEqual([1_767_225_600_000]);
    phones.clear();
    expect(await sessions.find(cookie)).toBeUndefined();
  });
});
