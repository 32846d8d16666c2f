import { readFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { history, NO_STREAM, SqliteEventStore, type StreamName, UnitOfWork } from '#engines/event-store';
import { type DomainEvent, FixedClock, Secret } from '#kernel';

import { ApprovalRequired } from '../domain/admin-token.errors.js';
import { Approvals } from './approvals.js';

/** Stored events are read for ever: never change this file, add another one for a new version. */
const GOLDEN = JSON.parse(await readFile(new URL('approvals.v1.json', import.meta.url), 'utf8')) as DomainEvent[];
const REQUEST = { action: 'delete client', path: '/clients/1', body: '' };

let clock: FixedClock;
let store: SqliteEventStore;
let approvals: Approvals;
beforeEach(() => {
  clock = new FixedClock(1_767_225_603_000);
  store = new SqliteEventStore({ path: ':memory:', clock });
  approvals = new Approvals(new UnitOfWork(store, clock), new Secret(Buffer.alloc(32, 1)));
});
afterEach(() => store.close());

const stream = async (): Promise<StreamName> => {
  for await (const event of history(store, ['approval'])) return event.stream;
  throw new Error('nothing was asked');
};

/** The stream of the request with these events of the fixture alone. */
const stored = async (count: number): Promise<void> => {
  await approvals.require(REQUEST, 'token-9').catch(() => undefined);
  const name = await stream();
  await store.close();
  store = new SqliteEventStore({ path: ':memory:', clock });
  approvals = new Approvals(new UnitOfWork(store, clock), new Secret(Buffer.alloc(32, 1)));
  await store.append(name, NO_STREAM, GOLDEN.slice(0, count));
};

describe('the stored events of an approval', () => {
  it('ask: another administrator approves, the one who asked does not', async () => {
    await stored(1);
    await expect(approvals.require(REQUEST, 'token-1')).rejects.toBeInstanceOf(ApprovalRequired);
    await expect(approvals.require(REQUEST, 'token-2')).resolves.toBeUndefined();
  });

  it('give: the same request is asked for anew', async () => {
    await stored(2);
    await expect(approvals.require(REQUEST, 'token-3')).rejects.toBeInstanceOf(ApprovalRequired);
    await expect(approvals.require(REQUEST, 'token-2')).resolves.toBeUndefined();
  });

  it('ask again after an approval', async () => {
    await stored(3);
    await expect(approvals.require(REQUEST, 'token-2')).resolves.toBeUndefined();
  });
});
