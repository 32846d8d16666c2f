import { readFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { NO_STREAM, SqliteEventStore, UnitOfWork } from '#engines/event-store';
import { type DeviceId, type DomainEvent, type IdentityId, Sealer, Secret, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';

import { pushSubscriptionsStream } from '../streams.js';
import { PushSubscriptions } from './push-subscriptions.js';

/** Stored events are read for ever: never change this file, add another one for a new version. Sealed under a key of 32 times the byte 7. */
const GOLDEN = JSON.parse(await readFile(new URL('push-subscriptions.v1.json', import.meta.url), 'utf8')) as DomainEvent[];
const PERSON = '44444444-4444-4444-8444-444444444444' as IdentityId;
const DEVICE = '55555555-5555-4555-8555-555555555555' as DeviceId;
const SUBSCRIPTION = { endpoint: 'https://push.example/1', p256dh: 'BA', auth: 'AA' };

const clock = new FixedClock();
const sealer = new Sealer(new StaticKeyRing([{ id: 'golden', key: new Secret(Buffer.alloc(32, 7)) }]), new SystemRandomness());
let store: SqliteEventStore;
let subscriptions: PushSubscriptions;
beforeEach(() => {
  store = new SqliteEventStore({ path: ':memory:', clock });
  subscriptions = new PushSubscriptions(new UnitOfWork(store, clock), sealer);
});
afterEach(() => store.close());

describe('the stored subscriptions of a person', () => {
  it('are read as they were stored, sealed under a key of the stream, and changed', async () => {
    await store.append(pushSubscriptionsStream(PERSON), NO_STREAM, GOLDEN);
    expect(await subscriptions.of(PERSON)).toEqual({ [DEVICE]: SUBSCRIPTION });
    await subscriptions.remove(PERSON, DEVICE);
    expect(await subscriptions.of(PERSON)).toEqual({});
  });
});
