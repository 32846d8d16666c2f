import { readFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { NO_STREAM, SqliteEventStore } from '#engines/event-store';
import { type DomainEvent, FixedClock, Sealer, Secret, StaticKeyRing, SystemRandomness } from '#kernel';

import { APPROVALS, CHANGE_REQUESTS } from '../streams.js';
import { ChangeApprovals, type ChangeApprovalsParts } from './change-approvals.js';

/** Stored events are read for ever: never change this file, add another one for a new version. Sealed under a key of 32 times the byte 7. */
const GOLDEN = JSON.parse(await readFile(new URL('change-approvals.v1.json', import.meta.url), 'utf8')) as DomainEvent[];
const ID = '33333333-3333-4333-8333-333333333333';
const PORTAL_SESSION = '44444444-4444-4444-8444-444444444444';

const clock = new FixedClock(1_767_225_650_000);
const randomness = new SystemRandomness();
const sealer = new Sealer(new StaticKeyRing([{ id: 'golden', key: new Secret(Buffer.alloc(32, 7)) }]), randomness);
let store: SqliteEventStore;
let approvals: ChangeApprovals;
beforeEach(() => {
  store = new SqliteEventStore({ path: ':memory:', clock });
  const unused = {} as Pick<ChangeApprovalsParts, 'own' | 'sessions'>;
  approvals = new ChangeApprovals({ store, clock, randomness, sealer, ...unused });
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
