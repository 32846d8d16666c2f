import { type ClientId, type DeviceId, type IdentityId, type SessionId } from '#kernel';
import type { Projections } from '#engines/read-model';
import { projectionsInMemory } from '#testkit/read-model/projections-in-memory';

import { sessionsProjection } from './sessions-projection.js';
import { useCaseFixture } from '#testkit/session/use-case-fixture';
import { ListSessions } from './list-sessions.js';

const DAY = 86_400_000;
const RETENTION = 30 * DAY;
const HOUR = 3_600_000;

let fixture: ReturnType<typeof useCaseFixture>;
let projections: Projections;
let list: ListSessions;
beforeEach(() => {
  fixture = useCaseFixture();
  projections = projectionsInMemory(fixture.eventStore);
  list = new ListSessions(model(), fixture.clock, RETENTION);
});
afterEach(async () => {
  await projections.close();
  await fixture.eventStore.close();
});

const model = () => projections.follow(sessionsProjection(RETENTION));
/** Waits for the rows of what was appended. */
const listed = async (search: Parameters<ListSessions['execute']>[0] = {}, page: Parameters<ListSessions['execute']>[1] = { limit: 10 }) => {
  await model().current();
  return list.execute(search, page);
};
const idsOf = async (...request: Parameters<typeof listed>): Promise<readonly SessionId[]> =>
  (await listed(...request)).entries.map(({ sessionId }) => sessionId);
const now = () => fixture.clock.now();
const scan = (sessionId: SessionId) =>
  fixture.history.append(sessionId, {
    type: 'SessionScanned',
    data: { deviceId: 'd' as DeviceId, identityId: fixture.randomness.uuid<IdentityId>(), sealed: '', at: now() },
  });

describe('the list of sessions', () => {
  it('shows the status of each, when it was created, and when the status changed', async () => {
    const sessionId = await fixture.begin();
    const createdAt = now();
    fixture.clock.advance(1_000);
    await scan(sessionId);
    const { clientId } = fixture;
    const session = { sessionId, clientId, signatureType: 'AUTHENTICATION', createdAt };
    expect(await listed()).toEqual({ entries: [{ ...session, status: 'SCANNED', changedAt: createdAt + 1_000 }] });
    await fixture.history.append(sessionId, { type: 'SessionCancelled', data: { reason: 'DECLINED', at: now() } });
    expect(await listed()).toEqual({ entries: [{ ...session, status: 'CANCELLED', reason: 'DECLINED', changedAt: createdAt + 1_000 }] });
  });

  it('follows a login and a signature to their ends; a confirmed signature is SCANNED until its container is built', async () => {
    const [login, signature] = [await fixture.begin(), await fixture.begin({ signing: true })];
    const both = async () =>
      (await listed()).entries.map(({ sessionId, status }) => [sessionId === login ? 'login' : 'signature', status]).toSorted();
    for (const sessionId of [login, signature]) {
      await scan(sessionId);
      await fixture.history.append(sessionId, { type: 'SessionConfirmed', data: { at: now() } });
    }
    expect(await both()).toEqual([
      ['login', 'CONFIRMED'],
      ['signature', 'SCANNED'],
    ]);
    for (const sessionId of [login, signature]) await fixture.history.append(sessionId, { type: 'SessionCompleted', data: { at: now() } });
    expect(await both()).toEqual([
      ['login', 'COMPLETED'],
      ['signature', 'COMPLETED'],
    ]);
  });

  it('begins with the newest, and goes on page by page, also through sessions of one moment', async () => {
    const ids: SessionId[] = [];
    for (let number = 0; number < 7; number++) {
      ids.unshift(await fixture.begin());
      if (number > 3) fixture.clock.advance(1);
    }
    const all = await idsOf();
    expect(all.slice(0, 2)).toEqual(ids.slice(0, 2));
    expect(new Set(all)).toEqual(new Set(ids));
    const pages: SessionId[][] = [];
    for (let after: SessionId | undefined; ;) {
      const { entries, next } = await listed({}, { limit: 2, after });
      pages.push(entries.map(({ sessionId }) => sessionId));
      if (next === undefined) break;
      after = next;
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 2, 1]);
    expect(pages.flat()).toEqual(all);
  });

  it('is narrowed by client, status, type and time, each alone and together', async () => {
    const old = await fixture.begin();
    fixture.clock.advance(HOUR);
    const signature = await fixture.begin({ signing: true });
    const scanned = await fixture.begin();
    await scan(scanned);
    const since = now();
    expect(await idsOf({ clientId: fixture.randomness.uuid<ClientId>() })).toEqual([]);
    expect(new Set(await idsOf({ clientId: fixture.clientId }))).toEqual(new Set([old, signature, scanned]));
    expect(await idsOf({ status: 'SCANNED' })).toEqual([scanned]);
    expect(await idsOf({ signatureType: 'SIGNING' })).toEqual([signature]);
    expect(await idsOf({ until: since })).toEqual([old]);
    expect(new Set(await idsOf({ since }))).toEqual(new Set([signature, scanned]));
    expect(await idsOf({ since, status: 'PENDING', clientId: fixture.clientId })).toEqual([signature]);
  });

  it('refuses a cursor that is no session of the list', async () => {
    await expect(listed({}, { limit: 1, after: fixture.randomness.uuid<SessionId>() })).rejects.toMatchObject({
      code: 'invalid_request',
      message: '`after` is no id of this list.',
    });
  });

  it('is the same after its table was lost and is built anew', async () => {
    for (let number = 0; number < 3; number++) await scan(await fixture.begin());
    const before = await listed();
    await projections.rebuild('sessions');
    expect(await listed()).toEqual(before);
  });
});

describe('the table of sessions', () => {
  const rows = async () => {
    await model().current();
    return model().read((database) => database.selectFrom('sessions_v1').selectAll().execute());
  };

  it('holds ids, times and states, and nothing about the person or the subject of the session', async () => {
    const sessionId = await fixture.begin();
    await fixture.history.confirm(sessionId);
    const [row] = await rows();
    expect(Object.keys(row ?? {}).toSorted()).toEqual([
      'changed_at',
      'client_id',
      'created_at',
      'reason',
      'revision',
      'session_id',
      'signature_type',
      'status',
    ]);
    expect(JSON.stringify(row)).not.toContain(fixture.identityId);
  });

  it('shows no session whose retention is over, and loses its row with later sessions', async () => {
    const old = await fixture.begin();
    fixture.clock.advance(RETENTION + HOUR);
    expect(await idsOf()).toEqual([old]);
    fixture.clock.advance(1);
    expect(await idsOf()).toEqual([]);
    expect(await rows()).toHaveLength(1);
    for (let number = 0; number < 50; number++) await fixture.begin();
    expect((await rows()).map(({ session_id }) => session_id)).not.toContain(old);
  });
});
