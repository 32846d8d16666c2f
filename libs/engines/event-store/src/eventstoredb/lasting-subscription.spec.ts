import { setTimeout as wait } from 'node:timers/promises';

import { EventStoreDBClient } from '@eventstore/db-client';
import { jest } from '@jest/globals';

import { event, events } from '#testkit/event-store/contract/fixture';
import { EventStoreUnavailable, NO_STREAM, type Place, SubscriptionRefused } from '../event-store.js';
import { openClient } from './client.js';
import { SecuredTestServer } from '#testkit/event-store/eventstoredb/secured-test-server';
import {
  category,
  stream,
  server,
  store,
  troubles,
  open,
  useTestServer,
  collected,
  fetched,
  follow,
} from '#testkit/event-store/eventstoredb/event-store-on-test-server';

describe('EventStoreDbEventStore', () => {
  useTestServer();

  describe('a subscription', () => {
    it.each(['kill', 'terminate'] as const)(
      'goes on over a restart of the server (%s), without a gap and without a repetition',
      async (how) => {
        const own = category();
        const seen = follow({ category: own });
        const written = stream(own);
        let last: number | typeof NO_STREAM = NO_STREAM;
        const write = async (count: number): Promise<void> => {
          for (let written_ = 0; written_ < count; written_ += 1) ({ revision: last } = await store.append(written, last, [event()]));
        };
        await write(20);
        await seen.until(() => seen.recorded().length === 20 && seen.notes() === 1);
        await server[how]();
        await server.restart();
        await write(20);
        await seen.until(() => seen.recorded().length >= 40 && seen.notes() >= 2);
        expect(seen.recorded().map(({ revision }) => revision)).toEqual(Array.from({ length: 40 }, (_, index) => index));
        await seen.end();
      },
      30_000,
    );

    it('goes on when the server ends it without an error', async () => {
      const own = category();
      const seen = follow({ category: own });
      await store.append(stream(own), NO_STREAM, [event()]);
      await seen.until(() => seen.recorded().length === 1 && seen.notes() === 1);
      await server.set({ endSubscriptions: true });
      await seen.until(() => seen.notes() === 2);
      await store.append(stream(own), NO_STREAM, [event()]);
      await seen.until(() => seen.recorded().length === 2);
      expect(troubles).toHaveLength(1);
      await seen.end();
    });

    it('from the end loses no event when it is interrupted before its first one', async () => {
      const own = category();
      await store.append(stream(own), NO_STREAM, [event({ old: true })]);
      const seen = follow({ category: own, after: 'end' });
      await seen.until(() => seen.notes() === 1);
      await server.kill();
      await server.restart();
      await store.append(stream(own), NO_STREAM, [event({ old: false })]);
      await seen.until(() => seen.recorded().length === 1);
      expect(seen.recorded().map(({ data }) => data['old'])).toEqual([false]);
      await seen.end();
    });

    it('goes on after the server’s last checkpoint, so that a lost connection costs no second look at foreign events', async () => {
      const own = category();
      await store.append(stream(own), NO_STREAM, [event()]);
      const [first] = await fetched(own, 1);
      for (let page = 0; page < 10; page++) await store.append(stream(), NO_STREAM, events(400));
      const subscribeToAll = jest.spyOn(EventStoreDBClient.prototype, 'subscribeToAll');
      const reached: Place[] = [];
      const seen = follow({ category: own, reached: (place) => reached.push(place) });
      await seen.until(() => seen.notes() === 1 && reached.length > 0);
      await server.set({ endSubscriptions: true });
      await seen.until(() => seen.notes() === 2);
      await store.append(stream(own), NO_STREAM, [event()]);
      await seen.until(() => seen.recorded().length === 2);
      const begun = subscribeToAll.mock.calls.map(([options]) => (options?.fromPosition as { commit?: bigint }).commit);
      expect(begun).toEqual([undefined, reached.at(-1)!.position]);
      expect(reached.at(-1)!.position).toBeGreaterThan(first!.position);
      const passed = await collected(
        store.subscribe({ categories: [own], after: reached.at(-1)!, restored: 'refuse', signal: new AbortController().signal }),
        1,
      );
      expect(passed).toHaveLength(1);
      subscribeToAll.mockRestore();
      await seen.end();
    });

    it('asks for the leader, as reads do, whenever it begins', async () => {
      const subscribeToAll = jest.spyOn(EventStoreDBClient.prototype, 'subscribeToAll');
      const seen = follow({ category: category() });
      await seen.until(() => seen.notes() === 1);
      await server.set({ endSubscriptions: true });
      await seen.until(() => seen.notes() === 2);
      expect(subscribeToAll.mock.calls.map(([options]) => options?.requiresLeader)).toEqual([true, true]);
      subscribeToAll.mockRestore();
      await seen.end();
    });

    it('stops with an alarm when the user may not read $all, until an administrator allows it', async () => {
      const secured = await SecuredTestServer.start();
      const [app, admin] = [open(secured.connectionString('app')), openClient(secured.connectionString('admin'))];
      const own = category();
      await app.append(stream(own), NO_STREAM, [event()]);
      await app.check();
      const subscribed = () => collected(app.subscribe({ categories: [own], signal: new AbortController().signal }), 1);
      const refusal = await subscribed().catch((error: unknown) => error);
      expect(refusal).toMatchObject({ reason: 'rights', message: expect.stringContaining('acl.readRoles of the metadata of $all') });
      expect(refusal).toBeInstanceOf(SubscriptionRefused);
      await expect(app.check()).rejects.toBeInstanceOf(EventStoreUnavailable);
      await admin.setStreamMetadata('$all', { acl: { readRoles: ['services'] } });
      expect(await subscribed()).toHaveLength(1);
      await app.check();
      await app.close();
      await Promise.race([admin.dispose(), wait(500)]);
      await secured[Symbol.asyncDispose]();
    });

    it('that is open when the store is closed fails, as with every adapter', async () => {
      const seen = follow({ category: category() });
      await seen.until(() => seen.notes() === 1);
      await store.close();
      await expect(seen.ended).rejects.toBeInstanceOf(EventStoreUnavailable);
    });
  });
});
