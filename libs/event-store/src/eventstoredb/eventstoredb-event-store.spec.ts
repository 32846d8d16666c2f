import { setTimeout as wait } from 'node:timers/promises';

import { EventStoreDBClient } from '@eventstore/db-client';
import { jest } from '@jest/globals';

import { ServiceUnavailable, SystemClock, SystemRandomness } from '#kernel';
import { eventually } from '#kernel/testing';

import { appendIdentified, event, events, type IdentifiedEvent } from '../contract/fixture.js';
import {
  type EventStore,
  EventStoreUnavailable,
  NO_STREAM,
  type Place,
  type RecordedEvent,
  type StreamName,
  streamName,
  type SubscribeOptions,
  SubscriptionRefused,
  type SubscriptionItem,
  WrongExpectedRevision,
} from '../event-store.js';
import { openClient } from './client.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';
import { SecuredTestServer } from './testing/secured-test-server.js';
import { SpawnedTestServer } from './testing/spawned-test-server.js';

const randomness = new SystemRandomness();
const category = (): string => `own${randomness.bytes(6).toString('hex')}`;
const stream = (of = category()): StreamName => streamName(of, randomness.uuid());

/** Rules that only a server shows: its faults, and the adapter's answer to them. On the gRPC test server, which can be killed and frozen. */
describe('EventStoreDbEventStore', () => {
  let server: SpawnedTestServer;
  let store: EventStore;
  const troubles: string[] = [];
  const alarms: string[] = [];

  const open = (connectionString = server.connectionString, clock = new SystemClock()): EventStore =>
    new EventStoreDbEventStore({
      connectionString,
      clock,
      randomness,
      report: (trouble) => troubles.push(trouble),
      alarm: (trouble) => alarms.push(trouble),
    });

  beforeAll(async () => {
    server = await SpawnedTestServer.start();
  });
  afterAll(() => server[Symbol.asyncDispose]());
  beforeEach(() => {
    troubles.length = 0;
    alarms.length = 0;
    store = open();
  });
  afterEach(() => store.close());

  const available = (opened: EventStore): Promise<void> =>
    eventually(() =>
      opened.check().then(
        () => true,
        () => false,
      ),
    );
  const took = async (work: Promise<unknown>): Promise<number> => {
    const began = performance.now();
    await work.catch(() => undefined);
    return performance.now() - began;
  };

  /** So many events of the subscription; without a number, all until it ends. */
  const collected = async (items: AsyncIterable<SubscriptionItem>, count = Infinity): Promise<RecordedEvent[]> => {
    const events: RecordedEvent[] = [];
    for await (const item of items) {
      if (item !== 'caught-up') events.push(item);
      if (events.length >= count) break;
    }
    return events;
  };
  const fetched = (of: string, count: number): Promise<RecordedEvent[]> =>
    collected(store.subscribe({ categories: [of], signal: new AbortController().signal }), count);

  /** Collects the items of a subscription in the background. */
  const follow = (options: { category: string; after?: 'end'; reached?: (place: Place) => void }) => {
    const leave = new AbortController();
    const items: SubscriptionItem[] = [];
    const recorded = (): RecordedEvent[] => items.filter((item) => item !== 'caught-up');
    const ended = (async () => {
      for await (const item of store.subscribe({
        categories: [options.category],
        signal: leave.signal,
        ...(options.after && { after: options.after }),
        ...(options.reached && { reached: options.reached }),
      }))
        items.push(item);
    })();
    const until = (enough: () => boolean): Promise<void> => eventually(enough, { what: () => `${String(enough)}, with ${items.length} items` });
    return { items, recorded, until, notes: () => items.filter((item) => item === 'caught-up').length, end: () => (leave.abort(), ended), ended };
  };

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
  }, 60_000);

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
    }, 20_000);
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
    expect(() => open('http://127.0.0.1')).toThrow();
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
    }, 10_000);

    it('tries an append for five seconds at most', async () => {
      const unreachable = open(nowhere);
      const appending = unreachable.append(stream(), NO_STREAM, [event()]);
      expect(await took(appending)).toBeLessThan(12_000);
      await expect(appending).rejects.toBeInstanceOf(EventStoreUnavailable);
      await unreachable.close();
    }, 10_000);

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
    }, 20_000);
  });

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
    }, 20_000);

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
    }, 20_000);

    it('stops with an alarm when the store does not know its position, and the store is not ready any more', async () => {
      const own = category();
      await store.append(stream(own), NO_STREAM, [event(), event()]);
      const [first] = await fetched(own, 2);
      const subscription = store.subscribe({ categories: [own], after: first!.position + 1n, signal: new AbortController().signal });
      const refusal = await collected(subscription).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(SubscriptionRefused);
      expect(refusal).toMatchObject({ reason: 'position', message: expect.stringContaining('Restore the copy that belongs to the position') });
      expect(alarms).toEqual([(refusal as Error).message]);
      await expect(store.check()).rejects.toMatchObject({ reason: (refusal as Error).message });
      expect(await store.append(stream(own), NO_STREAM, [event()])).toMatchObject({ revision: 0 });
    }, 20_000);

    it('goes on from beyond the end of a store that was restored from an older copy, with an alarm', async () => {
      const own = category();
      await store.append(stream(own), NO_STREAM, [event({ old: true })]);
      const [last] = await fetched(own, 1);
      const leave = new AbortController();
      const seen: unknown[] = [];
      for await (const item of store.subscribe({ categories: [own], after: last!.position + 1_000_000_000n, signal: leave.signal })) {
        if (item === 'caught-up') await store.append(stream(own), NO_STREAM, [event({ old: false })]);
        else seen.push(item.data);
        if (seen.length > 0) leave.abort();
      }
      expect(seen).toEqual([{ old: false }]);
      expect(alarms).toEqual([expect.stringContaining('it was restored from an older copy')]);
      await store.check();
    }, 20_000);

    it('ends before it hands over anything, for a consumer that asked for it, when the store lacks the event to begin after', async () => {
      const own = category();
      await store.append(stream(own), NO_STREAM, [event(), event()]);
      const [first, last] = await fetched(own, 2);
      const begin = (after: SubscribeOptions['after'] & {}): Promise<unknown> =>
        collected(store.subscribe({ categories: [own], after, restored: 'refuse', signal: new AbortController().signal }), 1).catch(
          (error: unknown) => error,
        );
      for (const lacking of [
        { position: first!.position, id: last!.id },
        { position: first!.position + 1n, id: first!.id },
        { position: last!.position + 1_000_000_000n, id: last!.id },
        last!.position + 1_000_000_000n,
        first!.position + 1n,
      ]) {
        const refusal = await begin(lacking);
        expect(refusal).toBeInstanceOf(SubscriptionRefused);
        expect(refusal).toMatchObject({ reason: 'restored' });
      }
      expect(await begin(first!)).toMatchObject([{ id: last!.id }]);
      expect(alarms).toEqual([]);
      await store.check();
    }, 20_000);

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
    }, 30_000);

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
    }, 20_000);

    it('that is open when the store is closed fails, as with every adapter', async () => {
      const seen = follow({ category: category() });
      await seen.until(() => seen.notes() === 1);
      await store.close();
      await expect(seen.ended).rejects.toBeInstanceOf(EventStoreUnavailable);
    });
  });

  describe('a server that dies', () => {
    it('under 200 parallel appends and comes back loses nothing that was acknowledged, and stores nothing twice or by half', async () => {
      const pairs = Array.from({ length: 200 }, () => ({ stream: stream(), events: events(2) }));
      await store.check();
      const appending = Promise.allSettled(pairs.map((pair) => appendIdentified(store, pair.stream, NO_STREAM, pair.events)));
      await wait(15);
      await server.kill();
      await server.restart();
      const outcomes = await appending;
      // Some answers may have come too late for their budget; a repetition gets an answer.
      const again = await Promise.all(pairs.map((pair) => appendIdentified(store, pair.stream, NO_STREAM, pair.events)));
      expect(again).toEqual(pairs.map(() => ({ revision: 1 })));
      const reads = await Promise.all(pairs.map((pair) => store.read(pair.stream)));
      expect(reads.map((read) => read.map(({ id }) => id))).toEqual(pairs.map((pair) => pair.events.map(({ id }) => id)));
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(refused.every(({ reason }) => reason instanceof EventStoreUnavailable)).toBe(true);
    }, 60_000);

    it('under more appends than fit into its buffers does not end this process', async () => {
      const rejections: unknown[] = [];
      const note = (reason: unknown): void => void rejections.push(reason);
      process.on('unhandledRejection', note);
      await store.check();
      const text = 'x'.repeat(4_000);
      const appending = Promise.allSettled(Array.from({ length: 2_000 }, () => store.append(stream(), NO_STREAM, [event({ text })])));
      server.freeze();
      await wait(300);
      await server.kill();
      await server.restart();
      await appending;
      await wait(50);
      process.off('unhandledRejection', note);
      expect(rejections).toEqual([]);
      await available(store);
    }, 60_000);
  });

  describe('a frozen server', () => {
    it('is unavailable within the budget of each call, and everything goes on when it thaws', async () => {
      const [before, during] = [stream(), stream()];
      await store.append(before, NO_STREAM, [event()]);
      const first = event();
      server.freeze();
      const [appended, read, checked] = await Promise.all([
        took(appendIdentified(store, during, NO_STREAM, [first])),
        took(store.read(before)),
        took(store.check()),
      ]);
      // Without budgets of its own the client answers after 19.5 s. The rest is room for a busy machine.
      for (const duration of [appended, read, checked]) expect(duration).toBeLessThan(12_000);
      server.thaw();
      expect(await appendIdentified(store, during, NO_STREAM, [first])).toEqual({ revision: 0 });
      expect(await store.read(during)).toMatchObject([{ id: first.id }]);
      expect(await store.read(before)).toHaveLength(1);
    }, 60_000);

    it('does not hold up the closing of the store', async () => {
      const closing = open();
      await available(closing);
      server.freeze();
      expect(await took(closing.close())).toBeLessThan(8_000);
      server.thaw();
    });
  });
});
