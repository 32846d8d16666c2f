import { setTimeout as wait } from 'node:timers/promises';

import { ServiceUnavailable, SystemClock, SystemRandomness } from '#kernel';

import { event, events } from '../contract/fixture.js';
import { type EventStore, EventStoreUnavailable, type NewEvent, NO_STREAM, type RecordedEvent, type StreamName, streamName, type SubscriptionItem, WrongExpectedRevision } from '../event-store.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';
import { SpawnedTestServer } from './testing/spawned-test-server.js';

const randomness = new SystemRandomness();
const category = (): string => `own${randomness.bytes(6).toString('hex')}`;
const stream = (of = category()): StreamName => streamName(of, randomness.uuid());

/** What only a server can do, and what only a server can suffer. Against the gRPC test server, which can be killed and frozen. */
describe('EventStoreDbEventStore', () => {
  let server: SpawnedTestServer;
  let store: EventStore;
  const troubles: string[] = [];

  const open = (connectionString = server.connectionString, clock = new SystemClock()): EventStore =>
    new EventStoreDbEventStore({ connectionString, clock, randomness, report: (trouble) => troubles.push(trouble) });

  beforeAll(async () => {
    server = await SpawnedTestServer.start();
  });
  afterAll(() => server[Symbol.asyncDispose]());
  beforeEach(() => {
    troubles.length = 0;
    store = open();
  });
  afterEach(() => store.close());

  const took = async (work: Promise<unknown>): Promise<number> => {
    const began = performance.now();
    await work.catch(() => undefined);
    return performance.now() - began;
  };

  /** Collects what comes, in the background. */
  const follow = (options: { category: string; after?: 'end' }) => {
    const leave = new AbortController();
    const items: SubscriptionItem[] = [];
    const recorded = (): RecordedEvent[] => items.filter((item) => item !== 'caught-up');
    const ended = (async () => {
      for await (const item of store.subscribe({ categories: [options.category], signal: leave.signal, ...(options.after && { after: options.after }) })) items.push(item);
    })();
    const until = async (enough: () => boolean): Promise<void> => {
      for (let tries = 0; tries < 400 && !enough(); tries += 1) await wait(25);
      if (!enough()) throw new Error(`it did not come: ${items.length} items`);
    };
    return { items, recorded, until, notes: () => items.filter((item) => item === 'caught-up').length, end: () => (leave.abort(), ended), ended };
  };

  describe('an append with an unknown outcome', () => {
    it('is settled by repeating it when the answer was lost: stored once', async () => {
      const lost = stream();
      await store.check();
      await server.set({ dropAnswers: 1 });
      expect(await store.append(lost, NO_STREAM, events(2))).toEqual({ revision: 1 });
      expect(await store.read(lost)).toHaveLength(2);
    });

    it('is settled by repeating it when it never arrived', async () => {
      const lost = stream();
      await store.check();
      await server.set({ loseAppends: 1 });
      expect(await store.append(lost, NO_STREAM, events(2))).toEqual({ revision: 1 });
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
      expect(await store.append(stream(), NO_STREAM, [event()])).toEqual({ revision: 0 });
    });

    it('is known again when it had begun a deleted stream anew', async () => {
      const again = stream();
      await store.append(again, NO_STREAM, events(3));
      await store.delete(again);
      await server.set({ dropAnswers: 1 });
      const first = event();
      expect(await store.append(again, NO_STREAM, [first])).toEqual({ revision: 3 });
      expect(await store.append(again, NO_STREAM, [first])).toEqual({ revision: 3 });
      await expect(store.append(again, NO_STREAM, [event()])).rejects.toMatchObject({ expected: NO_STREAM, actual: 3 });
      expect(await store.read(again)).toMatchObject([{ id: first.id, revision: 3 }]);
    });
  });

  it('does not mind a clock that differs from the server’s', async () => {
    class Late extends SystemClock {
      override now(): number {
        return super.now() - 600_000;
      }
    }
    const late = open(undefined, new Late());
    expect(await late.append(stream(), NO_STREAM, [event()])).toEqual({ revision: 0 });
    await late.close();
  });

  it('lets 60 writers through who contend for one stream', async () => {
    const contended = stream();
    const insist = async (contender: NewEvent): Promise<void> => {
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

  it('keeps what was deleted out of sight when a retention is set on a stream that began again', async () => {
    const again = stream();
    await store.append(again, NO_STREAM, events(3));
    await store.delete(again);
    await store.append(again, NO_STREAM, [event()]);
    await store.setRetention(again, { maxAge: 3_600 });
    expect(await store.read(again)).toMatchObject([{ revision: 3 }]);
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
    expect(await clustered.append(stream(), NO_STREAM, [event()])).toEqual({ revision: 0 });
    await clustered.close();
  });

  it('refuses a connection string that is none', () => {
    expect(() => open('http://127.0.0.1')).toThrow();
  });

  describe('without a server', () => {
    const nowhere = 'esdb://127.0.0.1:1?tls=false';

    it('says at once that it cannot read and is not ready, as 503', async () => {
      const away = open(nowhere);
      const reading = away.read(stream());
      await expect(reading).rejects.toBeInstanceOf(ServiceUnavailable);
      await expect(reading).rejects.toMatchObject({ code: 'service_unavailable', reason: expect.stringContaining('14') });
      expect(await took(away.read(stream()))).toBeLessThan(1_000);
      await expect(away.delete(stream())).rejects.toBeInstanceOf(EventStoreUnavailable);
      await expect(away.tombstone(stream())).rejects.toBeInstanceOf(EventStoreUnavailable);
      await expect(away.setRetention(stream(), { maxAge: 1 })).rejects.toBeInstanceOf(EventStoreUnavailable);
      const checking = away.check();
      expect(await took(checking)).toBeLessThan(2_500);
      await expect(checking).rejects.toBeInstanceOf(EventStoreUnavailable);
      await away.close();
    }, 10_000);

    it('tries an append for five seconds at most', async () => {
      const away = open(nowhere);
      const appending = away.append(stream(), NO_STREAM, [event()]);
      expect(await took(appending)).toBeLessThan(5_500);
      await expect(appending).rejects.toBeInstanceOf(EventStoreUnavailable);
      await away.close();
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
    it.each(['kill', 'terminate'] as const)('goes on over a restart of the server (%s), without a gap and without a repetition', async (how) => {
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
    }, 30_000);

    it('goes on also when it ends as if all were well', async () => {
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

    it('from the end loses nothing when it is interrupted before its first event', async () => {
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
      const appending = Promise.allSettled(pairs.map((pair) => store.append(pair.stream, NO_STREAM, pair.events)));
      await wait(15);
      await server.kill();
      await server.restart();
      const outcomes = await appending;
      // Some answers may have come too late for their budget; whoever repeats them gets an answer.
      const again = await Promise.all(pairs.map((pair) => store.append(pair.stream, NO_STREAM, pair.events)));
      expect(again).toEqual(pairs.map(() => ({ revision: 1 })));
      const reads = await Promise.all(pairs.map((pair) => store.read(pair.stream)));
      expect(reads.map((read) => read.map(({ id }) => id))).toEqual(pairs.map((pair) => pair.events.map(({ id }) => id)));
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(refused.every(({ reason }) => reason instanceof EventStoreUnavailable)).toBe(true);
    }, 60_000);

    it('under more appends than fit into its buffers does not take this process along', async () => {
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
      await store.check();
    }, 60_000);
  });

  describe('a frozen server', () => {
    it('is unavailable within the budget of each call, and everything goes on when it thaws', async () => {
      const [before, during] = [stream(), stream()];
      await store.append(before, NO_STREAM, [event()]);
      const first = event();
      server.freeze();
      const [appended, read, checked] = await Promise.all([took(store.append(during, NO_STREAM, [first])), took(store.read(before)), took(store.check())]);
      expect(appended).toBeLessThan(5_500);
      expect(read).toBeLessThan(5_500);
      expect(checked).toBeLessThan(2_500);
      server.thaw();
      expect(await store.append(during, NO_STREAM, [first])).toEqual({ revision: 0 });
      expect(await store.read(during)).toMatchObject([{ id: first.id }]);
      expect(await store.read(before)).toHaveLength(1);
    }, 20_000);

    it('does not hold up the closing of the store', async () => {
      const closing = open();
      await closing.check();
      server.freeze();
      expect(await took(closing.close())).toBeLessThan(2_000);
      server.thaw();
    }, 10_000);
  });
});
