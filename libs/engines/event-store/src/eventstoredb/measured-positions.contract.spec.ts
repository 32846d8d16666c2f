import { BACKWARDS, END, FORWARDS, NO_STREAM, streamNameFilter } from '@eventstore/db-client';

import { eventually } from '#testkit/kernel/eventually';

import {
  append,
  category,
  client,
  collect,
  dialect,
  happened,
  measured,
  refusal,
  stream,
  useMeasuredServer,
} from '#testkit/event-store/eventstoredb/measured-server';

/** EventStoreDB 24.10.9 and KurrentDB 26.1 behave alike here. */
describe.each(measured)('the measured behaviour of the servers, on $name', ({ started }) => {
  useMeasuredServer(started);

  const subscribe = (
    prefix: string,
    position: bigint,
    checkpointReached: (subscription: unknown, reached: { commit: bigint; prepare: bigint }) => Promise<void> = async () => undefined,
  ) => {
    const filter = streamNameFilter({ prefixes: [prefix], checkpointInterval: 1, checkpointReached });
    return client.subscribeToAll({ fromPosition: { commit: position, prepare: position }, filter });
  };
  const first = async (name: string) => (await collect(client.readStream(name)))[0]!.event!.position!.commit;
  const end = async () => (await collect(client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 })))[0]!.event!.position!.commit;

  describe('a position that is no event’s', () => {
    const invalid = { code: 3, message: expect.stringContaining('invalid position') as unknown };
    const refused = { '23.10': { type: 'unknown', code: 2 }, '24.10': invalid, '26.1': invalid };

    it('is refused to a subscription: as unknown, or as an invalid argument', async () => {
      const name = stream();
      await append(name, [happened(), happened()], NO_STREAM);
      expect(await refusal(collect(subscribe('none-', (await first(name)) + 1n)))).toMatchObject(refused[dialect]);
    });

    it.each([FORWARDS, BACKWARDS] as const)('is refused to a read %s in the same way', async (direction) => {
      const name = stream();
      await append(name, [happened(), happened()], NO_STREAM);
      const position = (await first(name)) + 1n;
      const reading = client.readAll({ direction, fromPosition: { commit: position, prepare: position }, maxCount: 1 });
      expect(await refusal(collect(reading))).toMatchObject(refused[dialect]);
    });
  });

  describe('a subscription from beyond the end', () => {
    it('hands over the next new events, or skips them until the log has grown past that position', async () => {
      const own = category();
      await append(stream(own), [happened({ old: true })], NO_STREAM);
      const last = await end();
      await append(stream(own), [happened({ number: 0 })], NO_STREAM);
      const size = (await end()) - last;
      const subscription = subscribe(`${own}-`, (await end()) + 10n * size);
      const numbers: unknown[] = [];
      subscription.on('data', ({ event }) => numbers.push((event!.data as { number: number }).number));
      await new Promise<void>((resolve) => subscription.on('caughtUp', () => resolve()));
      for (let number = 1; number <= 40; number += 1) await append(stream(own), [happened({ number })], NO_STREAM);
      await eventually(() => numbers.at(-1) === 40, { what: 'the last event is handed over' });
      await subscription.unsubscribe();
      if (dialect === '23.10') expect(numbers).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
      else {
        expect(numbers.length).toBeLessThan(40);
        expect(numbers[0]).toBeGreaterThan(1);
      }
    });
  });

  // Resume with `prepare` = `commit`.
  it('tells a subscription that catches up where it is, after each 32 events that do not concern it; with 23.10 `prepare` is 0', async () => {
    const name = stream();
    await append(
      name,
      Array.from({ length: 100 }, () => happened()),
      NO_STREAM,
    );
    const begun = await first(name);
    const reached: { commit: bigint; prepare: bigint }[] = [];
    const subscription = subscribe(`${category()}-`, begun, async (_subscription, position) => void reached.push(position));
    subscription.on('data', () => undefined);
    await new Promise<void>((resolve) => subscription.on('caughtUp', () => resolve()));
    await subscription.unsubscribe();
    expect(reached.length).toBeGreaterThanOrEqual(3);
    for (const { commit, prepare } of reached.slice(0, 3)) {
      expect(prepare === 0n).toBe(dialect === '23.10');
      expect(commit).toBeGreaterThan(begun);
    }
  });
});
