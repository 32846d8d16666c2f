import { readFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { NO_STREAM, SqliteEventStore, streamName, UnitOfWork } from '#engines/event-store';
import { type DeviceId, type DomainEvent, type IdentityId, LocatingTokens, Secret, type SubjectId, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';

import { PortalSessions } from './portal-sessions.js';

/** Stored events are read for ever: never change this file, add another one for a new version. */
const golden = async (name: string) => JSON.parse(await readFile(new URL(name, import.meta.url), 'utf8')) as DomainEvent[];
const GOLDEN = await golden('portal-sessions.v1.json');
const GOLDEN_LOGINS = await golden('portal-logins.v1.json');
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
    unitOfWork: new UnitOfWork(store, clock),
    clock,
    randomness: new SystemRandomness(),
    ring,
    members: { byPerson: async () => () => [] },
    phones: { trustedFor: async (_, __, memberships) => memberships },
    idle: 15 * MINUTE,
    living: { execute: async (deviceId) => phones.get(deviceId) },
  });
});
afterEach(() => store.close());

/** Stores the first events of the fixture. Answers the cookie of the session. */
const stored = async (count: number): Promise<string> => {
  const { ids } = await store.append(streamName('portalsession', ID), NO_STREAM, GOLDEN.slice(0, 1));
  const begun = ids[0]!;
  const later = GOLDEN.slice(1, count).map((event) =>
    event.type === 'PortalSessionUsed' ? { ...event, data: { ...(event.data as object), begun } } : event,
  );
  if (later.length > 0) await store.append(streamName('portalsession', ID), 0, later as DomainEvent[]);
  return new LocatingTokens(ring, 'portal-session').make(ID, begun);
};
const begin = async (): Promise<string> => (await sessions.begin(SUBJECT, { identityId: MARI, deviceId: PHONE })).cookie.reveal();
const MINUTE = 60_000;

describe('the stored events of a login at the portal', () => {
  it.each([
    ['begin', 1],
    ['tell its use', 2],
  ])('%s: the cookie shows the person and the phone', async (_, count) => {
    expect(await sessions.find(await stored(count))).toMatchObject({
      subjectId: SUBJECT,
      human: { identityId: MARI, deviceId: PHONE, sessionId: ID },
      expiresAt: 1_767_229_200_000,
    });
  });

  it('are found by its note for the person', async () => {
    await stored(1);
    await store.append(streamName('portallogins', MARI), NO_STREAM, GOLDEN_LOGINS);
    expect(await sessions.list(MARI)).toMatchObject([{ sessionId: ID, begunAt: 1_767_225_600_000 }]);
  });

  it('end: the cookie shows no person', async () => {
    expect(await sessions.find(await stored(3))).toBeUndefined();
  });
});

describe('a login at the portal', () => {
  it('counts as long as its phone does', async () => {
    const cookie = await begin();
    expect(await sessions.find(cookie)).toMatchObject({ subjectId: SUBJECT });
    phones.clear();
    expect(await sessions.find(cookie)).toBeUndefined();
  });

  it('ends after fifteen minutes without use, and after an hour in any case', async () => {
    const [idle, used] = [await begin(), await begin()];
    for (let minutes = 0; minutes < 59; minutes += 1) {
      clock.advance(MINUTE);
      expect(await sessions.find(used)).toBeDefined();
      if (minutes === 13) expect(await sessions.list(MARI)).toHaveLength(2);
    }
    expect(await sessions.find(idle)).toBeUndefined();
    clock.advance(MINUTE);
    expect(await sessions.find(used)).toBeUndefined();
  });

  it('stores a use at most once a minute', async () => {
    const cookie = await begin();
    const id = (await sessions.find(cookie))!.human.sessionId;
    for (let count = 0; count < 50; count += 1) await sessions.find(cookie);
    clock.advance(MINUTE);
    await Promise.all(Array.from({ length: 20 }, () => sessions.find(cookie)));
    expect(await store.read(streamName('portalsession', id))).toHaveLength(2);
  });

  it('is listed for its person, who alone ends it', async () => {
    const [one, two] = [await begin(), await begin()];
    const listed = await sessions.list(MARI);
    expect(listed).toHaveLength(2);
    const other = '66666666-6666-4666-8666-666666666666' as IdentityId;
    expect(await sessions.list(other)).toEqual([]);
    const second = (await sessions.find(two))!.human.sessionId as (typeof listed)[number]['sessionId'];
    await expect(sessions.endOf(other, second)).rejects.toMatchObject({ code: 'portal_session_not_found' });
    await sessions.endOf(MARI, second);
    expect([await sessions.find(one), await sessions.find(two)]).toEqual([expect.anything(), undefined]);
    await expect(sessions.endOf(MARI, second)).rejects.toMatchObject({ code: 'portal_session_not_found' });
    await sessions.endAllOf(MARI);
    expect(await sessions.list(MARI)).toEqual([]);
  });

  it('is one of ten: another one ends the oldest', async () => {
    const first = await begin();
    for (let count = 0; count < 10; count += 1) {
      clock.advance(1);
      await begin();
    }
    expect(await sessions.find(first)).toBeUndefined();
    expect(await sessions.list(MARI)).toHaveLength(10);
  });
});
