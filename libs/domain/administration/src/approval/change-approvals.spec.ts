import { readFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { NO_STREAM, SqliteEventStore, UnitOfWork } from '#engines/event-store';
import { type DeviceId, type DomainEvent, type IdentityId, Sealer, Secret, type SessionId, type SubjectId, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';
import { STORE_ENGINES } from '#testkit/event-store/store-engines';
import { ObservedStore } from '#testkit/event-store/unit-of-work/observed-store';

import type { HumanAdministrator } from '../domain/administrator.js';
import type { ApprovalNotFound } from '../domain/admin-token.errors.js';
import { APPROVALS, CHANGE_REQUESTS } from '../streams.js';
import { ChangeApprovals, type ChangeApprovalsParts, type WaitingApproval } from './change-approvals.js';

/** Stored events are read for ever: never change this file, add another one for a new version. Sealed under a key of 32 times the byte 7. */
const GOLDEN = JSON.parse(await readFile(new URL('change-approvals.v1.json', import.meta.url), 'utf8')) as DomainEvent[];
const ID = '33333333-3333-4333-8333-333333333333';
const PORTAL_SESSION = '44444444-4444-4444-8444-444444444444';

const clock = new FixedClock(1_767_225_650_000);
const randomness = new SystemRandomness();
const sealer = new Sealer(new StaticKeyRing([{ id: 'golden', key: new Secret(Buffer.alloc(32, 7)) }]), randomness);
const unused = {} as Pick<ChangeApprovalsParts, 'own' | 'sessions'>;
let store: SqliteEventStore;
let approvals: ChangeApprovals;
beforeEach(() => {
  store = new SqliteEventStore({ path: ':memory:', clock });
  approvals = new ChangeApprovals({ unitOfWork: new UnitOfWork(store, clock), clock, randomness, sealer, ...unused });
});
afterEach(() => store.close());

describe('a change that waits for an approval on the phone, as it was stored,', () => {
  it('is found with its request, by the session of the portal that asked alone', async () => {
    await store.append(CHANGE_REQUESTS.of(ID), NO_STREAM, GOLDEN.slice(0, 1));
    const sent = { method: 'DELETE', path: '/admin/v1/identities/55555555-5555-4555-8555-555555555555', body: '' };
    expect(await approvals.find(ID, PORTAL_SESSION)).toMatchObject({ approvalId: ID, sent, fourEyes: true });
    await expect(approvals.find(ID, '55555555-5555-4555-8555-555555555555')).rejects.toMatchObject({ code: 'approval_not_found' });
  });

  it('is open until it is carried out, once', async () => {
    await store.append(CHANGE_REQUESTS.of(ID), NO_STREAM, GOLDEN.slice(0, 1));
    const waiting = await approvals.find(ID, PORTAL_SESSION);
    const stream = APPROVALS.of(Buffer.from(waiting.digest, 'base64url').toString('hex'));
    await store.append(stream, NO_STREAM, GOLDEN.slice(1, 2));
    expect(await approvals.openFor(waiting)).toEqual([GOLDEN[1]!.data]);
    await store.append(stream, 0, GOLDEN.slice(2));
    expect(await approvals.openFor(waiting)).toEqual([]);
    await expect(approvals.carryOut(waiting)).rejects.toMatchObject({ code: 'approval_not_found' });
  });
});

describe.each(STORE_ENGINES)('a change over $engine', ({ open, hasTransactions }) => {
  const SENT = { method: 'DELETE', path: `/admin/v1/clients/${ID}`, body: '' };
  let observed: ObservedStore;
  let made: ChangeApprovals;
  let waiting: WaitingApproval;
  beforeEach(async () => {
    observed = new ObservedStore(await open(clock));
    const sessionId = randomness.uuid<SessionId>();
    made = new ChangeApprovals({
      unitOfWork: new UnitOfWork(observed, clock),
      clock,
      randomness,
      sealer,
      own: { clientId: ID } as ChangeApprovalsParts['own'],
      sessions: { ask: async () => ({ sessionId, expiresAt: 1, verificationCode: '12' }) },
    });
    const human = {
      identityId: randomness.uuid<IdentityId>(),
      deviceId: randomness.uuid<DeviceId>(),
      sessionId: PORTAL_SESSION,
    } as HumanAdministrator;
    const words = { title: 'Delete a client', lines: [] };
    const { approvalId } = await made.ask({ sent: SENT, versions: {}, words, fourEyes: false }, { subjectId: randomness.uuid<SubjectId>(), human });
    waiting = await made.find(approvalId, PORTAL_SESSION);
  });
  afterEach(() => observed.close());

  it('is asked for in one commit of the request and the approval, where the store has transactions', async () => {
    const streams = [CHANGE_REQUESTS.of(waiting.approvalId), expect.stringMatching(/^approval-/)];
    expect(observed.stored).toEqual(hasTransactions ? [streams] : streams.map((stream) => [stream]));
    expect(await made.openFor(waiting)).toEqual([expect.objectContaining({ approvalId: waiting.approvalId, sessionId: waiting.sessionId })]);
  });

  it('is carried out by one of forty at once, without a conflict', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => made.carryOut(waiting)));
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [(outcome.reason as ApprovalNotFound).code] : []));
    expect([refused, observed.conflicts]).toEqual([Array.from({ length: 39 }, () => 'approval_not_found'), 0]);
    expect(await made.openFor(waiting)).toEqual([]);
  });

  it('is not carried out by a process that does not know that another one was first', async () => {
    const elsewhere = new ChangeApprovals({ unitOfWork: new UnitOfWork(observed, clock), clock, randomness, sealer, ...unused });
    await elsewhere.carryOut(waiting);
    await expect(made.carryOut(waiting)).rejects.toMatchObject({ code: 'approval_not_found' });
  });

  it('is not carried out ten minutes after it was asked for', async () => {
    const before = clock.now();
    clock.advance(10 * 60_000);
    await expect(made.carryOut(waiting)).rejects.toMatchObject({ code: 'approval_not_found' });
    clock.advance(before - clock.now());
  });
});
