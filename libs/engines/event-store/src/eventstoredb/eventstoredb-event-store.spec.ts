import { setTimeout as wait } from 'node:timers/promises';

import { ServiceUnavailable, SystemClock } from '#kernel';

import { appendIdentified, event, events, type IdentifiedEvent } from '#testkit/event-store/contract/fixture';
import { EventStoreUnavailable, NO_STREAM, WrongExpectedRevision } from '../event-store.js';
import {
  category,
  stream,
  server,
  store,
  troubles,
  open,
  useTestServer,
  took,
  follow,
} from '#testkit/event-store/eventstoredb/event-store-on-test-server';

/** Rules that only a server shows: its faults, and the adapter's answer to them. On the gRPC test server, which can be killed and frozen. */
describe('EventStoreDbEventStore', () => {
  useTestServer();

  describe('an append with an unknown outcome', () => {
    it('is settled by repeating it when the answer was lost: stored once', async () => {
      const lost = stream();
      await store.check();
      await server.set({ dropAnswers: 1 });
      expect(await appendIdentified(store, lost, NO_STREAM, events(2))).toEqual({ revision: 1 });
      expect(await store.read(lost)).toHaveLength(2);
    });

    it('is settled by repeating it when it never arrived', async () => {
      const lost = stream();
      await store.check();
      await server.set({ loseAppends: 1 });
      expect(await appendIdentified(store, lost, NO_STREAM, events(2))).toEqual({ revision: 1 });
      expect(await store.read(lost)).toHaveLength(2);
    });

    it('is waited for as long as it is pending', async () => {
      const slow = stream();
      await server.set({ delayAnswers: 1_000 });
      expect(await took(store.append(slow, NO_STREAM, [event()]))).toBeGreaterThan(990);
      await server.set({ delayAnswers: 0 });
      expect(await store.read(slow)).toHaveLength(1);
    });

    it('is repeated when the server is starting or busy', async () => {
      await server.set({ refuseAppends: 2 });
      expect(await store.append(stream(), NO_STREAM, [event()])).toMatchObject({ revision: 0 });
    });
  });

  it('works with a clock that differs from the server’s', async () => {
    class Late extends SystemClock {
      override now(): number {
        return super.now() - 600_000;
      }
    }
    const late = open(undefined, new Late());
    expect(await late.append(stream(), NO_STREAM, [event()])).toMatchObject({ revision: 0 });
    await late.close();
  });

  it('lets 60 writers through that contend for one stream', async () => {
    const contended = stream();
    const insist = async (contender: IdentifiedEvent): Promise<void> => {
      for (;;) {
        const [last] = await store.read(contended, { direction: 'backwards', limit: 1 });
        try {
          await store.append(contended, last?.revision ?? NO_STREAM, [contender]);
          return;
        } catch (error) {
          if (!(error instanceof WrongExpectedRevision)) throw error;
        }
      }
    };
    const all = events(60);
    await Promise.all(all.map(insist));
    const read = await store.read(contended);
    expect(read.map(({ revision }) => revision)).toEqual(all.map((_, index) => index));
    expect(new Set(read.map(({ id }) => id)).size).toBe(60);
  });

  describe('after a conflict', () => {
    afterEach(() => server.set({ readLag: 'sometimes' }));

    it('shows the event that caused it in the next read, through another store object of this process too', async () => {
      const other = open();
      await other.check();
      await server.set({ readLag: 'always' });
      for (const reader of [store, other]) {
        const raced = stream();
        const winner = store.append(raced, NO_STREAM, [event()]);
        await expect(store.append(raced, NO_STREAM, [event()])).rejects.toMatchObject({ actual: 0 });
        expect(await reader.read(raced)).toHaveLength(1);
        await winner;
      }
      await other.close();
    });

    it('does not wait for events that have expired, or that were truncated', async () => {
      const [expired, truncated] = [stream(), stream()];
      for (const name of [expired, truncated]) await store.append(name, NO_STREAM, events(2));
      await store.setRetention(expired, { maxAge: 1 });
      await wait(1_100);
      await store.truncateBefore(truncated, 1);
      expect(await took(store.append(expired, NO_STREAM, [event()]))).toBeLessThan(4_500);
      await expect(store.append(expired, NO_STREAM, [event()])).rejects.toMatchObject({ actual: 1 });
      expect(await took(store.append(truncated, 0, [event()]))).toBeLessThan(4_500);
      await expect(store.append(truncated, 0, [event()])).rejects.toMatchObject({ actual: 1 });
    });

    it('is unavailable when the event does not become readable in time', async () => {
      const raced = stream();
      await server.set({ readLag: 'for-ever' });
      const winner = store.append(raced, NO_STREAM, [event()]);
      await expect(store.append(raced, NO_STREAM, [event()])).rejects.toBeInstanceOf(EventStoreUnavailable);
      await expect(winner).rejects.toBeInstanceOf(EventStoreUnavailable);
      await server.kill();
      await server.restart();
      expect(await store.read(raced)).toHaveLength(1);
    });
  });

  it('does not hand over the tombstone as an event', async () => {
    const own = category();
    await store.append(stream(own), NO_STREAM, [event()]);
    await store.tombstone(stream(own));
    await store.append(stream(own), NO_STREAM, [event()]);
    const seen = follow({ category: own });
    await seen.until(() => seen.notes() > 0);
    expect(seen.recorded().map(({ type }) => type)).toEqual(['Happened', 'Happened']);
    await seen.end();
  });

  it('finds the leading node of a cluster', async () => {
    const port = new URL(server.connectionString).port;
    const clustered = open(`esdb://127.0.0.1:${port},127.0.0.1:${port}?tls=false`);
    expect(await clustered.append(stream(), NO_STREAM, [event()])).toMatchObject({ revision: 0 });
    await clustered.close();
  });

  it('refuses an invalid connection string', () => {
    expect(() => open('http://127.0.0.1')).toThrow('expected esdb://');
  });

  describe('without a server', () => {
    const nowhere = 'esdb://127.0.0.1:1?tls=false';

    it('says at once that it cannot read and is not ready, as 503', async () => {
      const unreachable = open(nowhere);
      const reading = unreachable.read(stream());
      await expect(reading).rejects.toBeInstanceOf(ServiceUnavailable);
      await expect(reading).rejects.toMatchObject({ code: 'service_unavailable', reason: expect.stringContaining('14') });
      expect(await took(unreachable.read(stream()))).toBeLessThan(4_500);
      await expect(unreachable.truncateBefore(stream(), 0)).rejects.toBeInstanceOf(EventStoreUnavailable);
      await expect(unreachable.exists(stream())).rejects.toBeInstanceOf(EventStoreUnavailable);
      await expect(unreachable.tombstone(stream())).rejects.toBeInstanceOf(EventStoreUnavailable);
      await expect(unreachable.setRetention(stream(), { maxAge: 1 })).rejects.toBeInstanceOf(EventStoreUnavailable);
      const checking = unreachable.check();
      expect(await took(checking)).toBeLessThan(12_000);
      await expect(checking).rejects.toBeInstanceOf(EventStoreUnavailable);
      await unreachable.close();
    });

    it('tries an append for five seconds at most', async () => {
      const unreachable = open(nowhere);
      const appending = unreachable.append(stream(), NO_STREAM, [event()]);
      expect(await took(appending)).toBeLessThan(12_000);
      await expect(appending).rejects.toBeInstanceOf(EventStoreUnavailable);
      await unreachable.close();
    });

    it('begins a subscription when the server comes', async () => {
      const own = category();
      await store.append(stream(own), NO_STREAM, [event()]);
      await server.kill();
      const seen = follow({ category: own });
      await wait(300);
      expect(seen.items).toEqual([]);
      await server.restart();
      await seen.until(() => seen.notes() > 0);
      expect(seen.recorded()).toHaveLength(1);
      expect(troubles[0]).toContain(`the subscription to ${own} was interrupted`);
      await seen.end();
    });
  });
});
