import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Transaction } from 'kysely';

import { NO_STREAM, type RecordedEvent, streamName } from '#engines/event-store';
import type { ClientId } from '#kernel';
import type { Projections } from '#engines/read-model';

import type { SessionStatus } from '#domain/session';
import type { CancelReason, SessionEvent, SignatureType } from '#domain/session';
import { useCaseFixture } from '../use-case-fixture.js';
import { ReadLoginFunnel } from '#domain/session';
import { DAY, type FunnelTables, loginFunnelProjection } from '#domain/session';

interface LoginFunnelSubject {
  /** A new empty database. */
  make(): Promise<void>;
  /** The read models over it. The contract closes them. */
  open(fixture: ReturnType<typeof useCaseFixture>): Projections;
  remove(): Promise<void>;
}

const RETENTION = 30 * DAY;

/** The login funnel on one database. */
export const loginFunnelContract = (subject: LoginFunnelSubject): void => {
  let fixture: ReturnType<typeof useCaseFixture>;
  let projections: Projections;
  const projection = loginFunnelProjection(RETENTION);
  const model = () => projections.follow(projection);

  beforeEach(async () => {
    fixture = useCaseFixture();
    await subject.make();
    projections = subject.open(fixture);
  });
  afterEach(async () => {
    await projections.close();
    await fixture.eventStore.close();
    await subject.remove();
  });

  /** Stores a session of these events, with their envelopes. */
  const session = async (
    events: readonly SessionEvent['type'][],
    { client = fixture.clientId, type = 'AUTHENTICATION', reason }: { client?: ClientId; type?: SignatureType; reason?: CancelReason } = {},
  ): Promise<void> => {
    const metadata = { v: 2, clientId: client, signatureType: type, status: 'PENDING' satisfies SessionStatus };
    const at = fixture.clock.now();
    const stored = events.map((name) => ({ type: name, data: { at, ...(reason && { reason }) }, metadata }));
    await fixture.eventStore.append(streamName('session', fixture.randomness.uuid()), NO_STREAM, stored);
  };
  const funnel = async (clientId = fixture.clientId) => {
    await model().current();
    return new ReadLoginFunnel(model(), fixture.clock, RETENTION).execute(clientId);
  };
  const today = async () => (await funnel()).at(-1)!;
  const LOGIN = ['SessionCreated', 'SessionScanned', 'SessionConfirmed', 'SessionCompleted', 'CodeRedeemed'] as const;
  const rows = async () => {
    await model().current();
    return model().read((database) => database.selectFrom('login_funnel_v1').selectAll().orderBy('client_id').orderBy('day').execute());
  };

  it('counts each step of the logins of a client, and no signature', async () => {
    await session(LOGIN);
    await session(LOGIN.slice(0, 3));
    await session(LOGIN.slice(0, 2));
    await session(LOGIN.slice(0, 1));
    await session(LOGIN.slice(0, 4), { type: 'SIGNING' });
    await session(LOGIN, { client: fixture.randomness.uuid<ClientId>() });
    expect(await today()).toMatchObject({ created: 4, scanned: 3, confirmed: 2, exchanged: 1 });
  });

  it('counts why logins ended', async () => {
    const reasons: readonly CancelReason[] = ['DECLINED', 'DECLINED', 'LEFT', 'WRONG_CODE', 'PIN_LOCKED', 'WITHDRAWN', 'ERASED', 'DEVICE_REVOKED'];
    for (const reason of reasons) await session(['SessionCreated', 'SessionCancelled'], { reason });
    await session(['SessionCreated', 'SessionExpired']);
    expect(await today()).toMatchObject({
      created: 9,
      ended: { declined: 2, left: 2, wrongCode: 1, pinLocked: 1, withdrawn: 1, erased: 1, expired: 1 },
    });
  });

  it('counts each step on the day on which it happened, UTC, and shows thirty days with the empty ones', async () => {
    await session(LOGIN.slice(0, 1));
    fixture.clock.advance(DAY);
    await session(['SessionExpired']);
    const days = await funnel();
    expect(days).toHaveLength(30);
    expect(days.at(-1)).toMatchObject({ day: new Date(fixture.clock.now()).toISOString().slice(0, 10), created: 0, ended: { expired: 1 } });
    expect(days.at(-2)).toMatchObject({ created: 1, ended: { expired: 0 } });
    expect(days.slice(0, -2).every(({ created, ended }) => created + ended.expired === 0)).toBe(true);
  });

  it('counts an event once, however often it is applied', async () => {
    await session(LOGIN);
    await session(['SessionCreated', 'SessionExpired']);
    const before = await rows();
    const events: RecordedEvent<SessionEvent>[] = [];
    for await (const item of fixture.eventStore.subscribe({ categories: ['session'], signal: AbortSignal.timeout(60_000) })) {
      if (item === 'caught-up') break;
      events.push(item as RecordedEvent<SessionEvent>);
    }
    expect(events).toHaveLength(7);
    for (const event of events) await model().rows((database) => projection.apply(database as Transaction<FunnelTables>, event));
    expect(await rows()).toEqual(before);
    await model().rows((database) => projection.applyAll!(database as Transaction<FunnelTables>, events));
    expect(await rows()).toEqual(before);
    // A batch of which the first events were counted before.
    await model().rows((database) => database.deleteFrom('login_funnel_v1').execute());
    await model().rows((database) => projection.applyAll!(database as Transaction<FunnelTables>, events.slice(0, 3)));
    await model().rows((database) => projection.applyAll!(database as Transaction<FunnelTables>, events));
    expect(await rows()).toEqual(before);
  });

  it('is the same after its table was lost and is built anew', async () => {
    await session(LOGIN);
    fixture.clock.advance(DAY);
    await session(['SessionCreated', 'SessionCancelled'], { reason: 'DECLINED' });
    const before = await rows();
    await projections.rebuild('login-funnel');
    expect(await rows()).toEqual(before);
  });

  it('holds counts by client and day and nothing else, and loses days of which sessions are deleted', async () => {
    await session(LOGIN);
    const [row] = await rows();
    expect(row?.client_id).toBe(fixture.clientId);
    expect(Object.values(row ?? {}).filter((value) => typeof value !== 'number')).toEqual([fixture.clientId]);
    fixture.clock.advance(RETENTION);
    for (let number = 0; number < 50; number++) await session(LOGIN.slice(0, 1));
    expect(await rows()).toHaveLength(1);
  });
};
