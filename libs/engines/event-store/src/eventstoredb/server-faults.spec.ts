import { setTimeout as wait } from 'node:timers/promises';

import { appendIdentified, event, events } from '#testkit/event-store/contract/fixture';
import { EventStoreUnavailable, NO_STREAM } from '../event-store.js';
import { stream, server, store, open, useTestServer, available, took } from '#testkit/event-store/eventstoredb/event-store-on-test-server';

describe('EventStoreDbEventStore', () => {
  useTestServer();

  describe('a server that dies', () => {
    it('under 200 parallel appends and starts again loses nothing that was acknowledged, and stores nothing twice or by half', async () => {
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
    });

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
    });
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
    });

    it('does not hold up the closing of the store', async () => {
      const closing = open();
      await available(closing);
      server.freeze();
      expect(await took(closing.close())).toBeLessThan(8_000);
      server.thaw();
    });
  });
});
