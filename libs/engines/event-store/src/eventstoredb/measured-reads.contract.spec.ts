import { setTimeout as wait } from 'node:timers/promises';

import { BACKWARDS, END, NO_STREAM, START, streamNameFilter } from '@eventstore/db-client';

import { lastReadable } from './last-readable.js';
import {
  happened,
  category,
  stream,
  collect,
  refusal,
  measured,
  server,
  client,
  useMeasuredServer,
  append,
  ids,
} from '#testkit/event-store/eventstoredb/measured-server';

describe.each(measured)('the measured behaviour of the servers, on $name', ({ started }) => {
  useMeasuredServer(started);

  describe('reading', () => {
    it('throws for a stream that never was, in the iteration', async () => {
      const name = stream();
      expect(await refusal(collect(client.readStream(name)))).toMatchObject({ type: 'stream-not-found', streamName: name });
    });

    it('is empty past the end, and begins at the end when it goes backwards from beyond', async () => {
      const name = stream();
      await append(name, [happened(), happened()], NO_STREAM);
      expect(await collect(client.readStream(name, { fromRevision: 2n }))).toEqual([]);
      expect(await collect(client.readStream(name, { fromRevision: 9n, direction: BACKWARDS }))).toHaveLength(2);
    });

    it('goes backwards from the start by default', async () => {
      const name = stream();
      await append(name, [happened(), happened(), happened()], NO_STREAM);
      const revisions = async (options: object) =>
        (await collect(client.readStream(name, { direction: BACKWARDS, ...options }))).map(({ event }) => event!.revision);
      expect(await revisions({})).toEqual([0n]);
      expect(await revisions({ fromRevision: END })).toEqual([2n, 1n, 0n]);
    });

    it('of a stream fails for a count of 0, and of everything never ends', async () => {
      const name = stream();
      await append(name, [happened()], NO_STREAM);
      expect(await refusal(collect(client.readStream(name, { maxCount: 0 })))).toMatchObject({ code: 2 });
      const all = client.readAll({ maxCount: 0 });
      const ended = new Promise((resolve) => all.on('data', resolve).on('end', resolve).on('error', resolve));
      expect(await Promise.race([ended, wait(300, 'waits')])).toBe('waits');
      await all.cancel();
    });

    it('fails for an empty stream name', async () => {
      await expect(collect(client.readStream(''))).rejects.toBeInstanceOf(Error);
    });

    it('shows an append at once when it has been acknowledged', async () => {
      const name = stream();
      for (let count = 1; count <= 30; count += 1) {
        await append(name, [happened()], count === 1 ? NO_STREAM : BigInt(count - 2));
        expect(await ids(name)).toHaveLength(count);
      }
    });

    // One conflict in ten on a real server, for 3–8 ms, at most 65.
    it('may not show the event that caused a conflict for a moment', async () => {
      let conflicts = 0;
      let lagging = 0;
      await server?.set({ readLag: 'always' });
      for (let round = 0; round < 10; round += 1) {
        const name = stream();
        const winning = append(name, [happened()], NO_STREAM);
        const conflict = await refusal(append(name, [happened()], NO_STREAM));
        conflicts += conflict['actualVersion'] === 0n ? 1 : 0;
        lagging += await ids(name).then(
          () => 0,
          () => 1,
        );
        await winning;
        expect(await ids(name)).toHaveLength(1);
      }
      await server?.set({ readLag: 'sometimes' });
      expect(conflicts).toBe(10);
      expect(lagging).toBeGreaterThanOrEqual(server ? 1 : 0);
    });

    // ReadStreamForwards of 23.10: for a client that sets the compatibility of its protocol to 1.
    it('tells the last revision that it knows, also when that event has expired', async () => {
      const [kept, expired, missing] = [stream(), stream(), stream()];
      await client.setStreamMetadata(expired, { maxAge: 1 });
      await append(kept, [happened(), happened(), happened()], NO_STREAM);
      await append(expired, [happened(), happened()], NO_STREAM);
      await wait(1_100);
      const last = (name: string) => lastReadable(client, name, 0);
      expect([await last(kept), await last(expired), await last(missing)]).toEqual([2, 1, 'none']);
    });

    it('gives each event a position of its own, also within one append', async () => {
      const name = stream();
      await append(name, [happened(), happened(), happened()], NO_STREAM);
      const positions = (await collect(client.readStream(name))).map(({ event }) => event!.position!.commit);
      expect(new Set(positions).size).toBe(3);
      expect(positions).toEqual(positions.toSorted((a, b) => Number(a - b)));
    });

    it('goes through everything backwards from the end', async () => {
      const name = stream();
      await append(name, [happened()], NO_STREAM);
      const [last] = await collect(client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 }));
      expect(last?.event?.position?.commit).toBeGreaterThanOrEqual((await collect(client.readStream(name)))[0]!.event!.position!.commit);
    });
  });

  describe('a subscription to all', () => {
    const subscribe = (prefix: string, fromPosition: { commit: bigint; prepare: bigint } | typeof START) =>
      client.subscribeToAll({ fromPosition, filter: streamNameFilter({ prefixes: [prefix] }) });

    it('tells when it has caught up', async () => {
      const subscription = subscribe(`${category()}-`, START);
      const items: string[] = [];
      subscription.on('data', () => items.push('event'));
      await new Promise<void>((resolve) => subscription.on('caughtUp', () => resolve(void items.push('caught up'))));
      await subscription.unsubscribe();
      expect(items).toEqual(['caught up']);
    });

    it('begins after its position, also inside an append of several events', async () => {
      const own = category();
      const name = stream(own);
      await append(name, [happened(), happened(), happened()], NO_STREAM);
      const second = (await collect(client.readStream(name)))[1]!.event!.position!;
      const subscription = subscribe(`${own}-`, second);
      for await (const { event } of subscription) {
        expect(event!.revision).toBe(2n);
        break;
      }
      await subscription.unsubscribe();
    });

    it('still shows events that have expired and that were deleted, and the tombstone as an event', async () => {
      const own = category();
      const [expired, deleted, dead] = [stream(own), stream(own), stream(own)];
      await client.setStreamMetadata(expired, { maxAge: 1 });
      for (const name of [expired, deleted, dead]) await append(name, [happened()], NO_STREAM);
      await client.deleteStream(deleted);
      await client.tombstoneStream(dead);
      await wait(1_100);
      const seen: string[] = [];
      const subscription = subscribe(`${own}-`, START);
      for await (const { event } of subscription) {
        seen.push(event!.type);
        if (seen.length === 4) break;
      }
      await subscription.unsubscribe();
      expect(seen).toEqual(['Happened', 'Happened', 'Happened', '$streamDeleted']);
    });
  });
});
