import { NO_STREAM, type StreamAppend, type StreamName, StreamTombstoned, WrongExpectedRevision } from '#engines/event-store';
import { event, type Fixture, type IdentifiedEvent } from './fixture.js';

/** An append of events under their own ids, so that it can be repeated. */
const to = (stream: StreamName, expected: StreamAppend['expected'], ...identified: readonly IdentifiedEvent[]): StreamAppend => ({
  stream,
  expected,
  events: identified.map(({ type, data }) => ({ type, data, metadata: { v: 1, note: type, status: '<é> "\\u2028' } })),
  ids: identified.map(({ id }) => id),
});

/** Transactions over streams, where the store has them; elsewhere it says so and stores nothing. */
export const appendingTogetherContract = (fixture: Fixture): void => {
  let a: StreamName;
  let b: StreamName;
  let c: StreamName;
  beforeEach(() => ([a, b, c] = [fixture.stream(), fixture.stream(), fixture.stream()]));

  const revisions = async (...streams: readonly StreamName[]) =>
    Promise.all(streams.map(async (stream) => (await fixture.store.read(stream)).map(({ revision }) => revision)));

  const withTransactions = (title: string, test: () => Promise<unknown>): void =>
    it(`${title}, where the store has transactions`, async () => {
      const has = (await fixture.store.appendTogether([])) !== undefined;
      if (fixture.hasTransactions !== undefined) expect(has).toBe(fixture.hasTransactions);
      if (has) return void (await test());
      expect(await fixture.store.appendTogether([to(a, NO_STREAM, event()), to(b, NO_STREAM, event())])).toBeUndefined();
      expect(await revisions(a, b)).toEqual([[], []]);
    });

  withTransactions('stores all of it, and answers the last revision of each stream', async () => {
    await fixture.append(b, NO_STREAM, [event()]);
    const [one, two, three] = [event(), event(), event()];
    expect(await fixture.store.appendTogether([to(a, NO_STREAM, one, two), to(b, 0, three)])).toEqual([
      { revision: 1, ids: [one.id, two.id] },
      { revision: 1, ids: [three.id] },
    ]);
    expect(await revisions(a, b)).toEqual([
      [0, 1],
      [0, 1],
    ]);
  });

  withTransactions('keeps data and metadata as they are', async () => {
    const data = { text: 'Õ <>"\\', number: 1.5, list: [1, null, { deep: true }], none: null };
    await fixture.store.appendTogether([to(a, NO_STREAM, event(data)), to(b, NO_STREAM, event())]);
    const [stored] = await fixture.store.read(a);
    expect(stored).toMatchObject({ type: 'Happened', data });
    expect(fixture.metadataOf(stored)).toEqual({ v: 1, note: 'Happened', status: '<é> "\\u2028' });
  });

  withTransactions('hands it over to subscriptions in the order of the call', async () => {
    const [first, second] = ['first', 'second'].map(() => fixture.category()) as [string, string];
    const streams = [fixture.stream(second), fixture.stream(first)] as const;
    await fixture.store.appendTogether([to(streams[0], NO_STREAM, event(), event()), to(streams[1], NO_STREAM, event())]);
    const items = await fixture.collect({ categories: [first, second] }, 3);
    expect(items.flatMap((item) => (item === 'caught-up' ? [] : [item.stream]))).toEqual([streams[0], streams[0], streams[1]]);
  });

  for (const conflicting of [0, 1])
    withTransactions(`stores nothing when number ${conflicting} conflicts`, async () => {
      await fixture.append([a, b][conflicting] as StreamName, NO_STREAM, [event()]);
      const refused = fixture.store.appendTogether([to(a, NO_STREAM, event()), to(b, NO_STREAM, event())]);
      await expect(refused).rejects.toBeInstanceOf(WrongExpectedRevision);
      await expect(refused).rejects.toMatchObject({ stream: [a, b][conflicting], expected: NO_STREAM, actual: 0 });
      expect(await revisions(a, b)).toEqual(conflicting === 0 ? [[0], []] : [[], [0]]);
    });

  withTransactions('stores nothing when a stream is tombstoned', async () => {
    await fixture.append(b, NO_STREAM, [event()]);
    await fixture.store.tombstone(b);
    for (const expected of [0, NO_STREAM] as const) {
      const refused = fixture.store.appendTogether([to(a, NO_STREAM, event()), to(b, expected, event())]);
      await expect(refused).rejects.toBeInstanceOf(StreamTombstoned);
    }
    expect(await revisions(a)).toEqual([[]]);
  });

  withTransactions('stores it while a stream that was only read is as it was', async () => {
    await fixture.append(c, NO_STREAM, [event()]);
    const never = fixture.stream();
    const unchanged = [
      { stream: c, expected: 0 },
      { stream: never, expected: NO_STREAM },
    ] as const;
    expect(await fixture.store.appendTogether([to(a, NO_STREAM, event())], unchanged)).toMatchObject([{ revision: 0 }]);
    expect(await revisions(a, c, never)).toEqual([[0], [0], []]);
  });

  withTransactions('stores nothing once a stream that was only read has changed, and reads show the change', async () => {
    await fixture.append(c, NO_STREAM, [event()]);
    for (let revision = 0; revision < 5; revision += 1) {
      await fixture.append(c, revision, [event()]);
      const refused = fixture.store.appendTogether([to(a, NO_STREAM, event()), to(b, NO_STREAM, event())], [{ stream: c, expected: revision }]);
      await expect(refused).rejects.toBeInstanceOf(WrongExpectedRevision);
      await expect(refused).rejects.toMatchObject({ stream: c, expected: revision, actual: revision + 1 });
      expect(await revisions(a, b, c)).toEqual([[], [], Array.from({ length: revision + 2 }, (_, index) => index)]);
    }
  });

  withTransactions('stores nothing once a stream that was empty has begun', async () => {
    await fixture.append(c, NO_STREAM, [event()]);
    const refused = fixture.store.appendTogether([to(a, NO_STREAM, event())], [{ stream: c, expected: NO_STREAM }]);
    await expect(refused).rejects.toMatchObject({ stream: c, actual: 0 });
    expect(await revisions(a)).toEqual([[]]);
  });

  withTransactions('takes a tombstoned stream that was only read for the empty one that a read shows', async () => {
    await fixture.append(c, NO_STREAM, [event()]);
    await fixture.store.tombstone(c);
    const refused = fixture.store.appendTogether([to(a, NO_STREAM, event())], [{ stream: c, expected: 0 }]);
    await expect(refused).rejects.toMatchObject({ name: 'WrongExpectedRevision', stream: c, actual: NO_STREAM });
    await fixture.store.appendTogether([to(a, NO_STREAM, event())], [{ stream: c, expected: NO_STREAM }]);
    expect(await revisions(a)).toEqual([[0]]);
  });

  withTransactions('refuses a stream that is named twice', async () => {
    await expect(fixture.store.appendTogether([to(a, NO_STREAM, event()), to(a, 0, event())])).rejects.toBeInstanceOf(TypeError);
    const both = fixture.store.appendTogether([to(a, NO_STREAM, event())], [{ stream: a, expected: NO_STREAM }]);
    await expect(both).rejects.toBeInstanceOf(TypeError);
    expect(await revisions(a)).toEqual([[]]);
  });

  withTransactions('answers a repetition by the same ids as the first one, also when the checked streams have changed', async () => {
    await fixture.append(c, NO_STREAM, [event()]);
    const appends = [to(a, NO_STREAM, event(), event()), to(b, NO_STREAM, event())];
    const unchanged = [{ stream: c, expected: 0 }];
    const first = await fixture.store.appendTogether(appends, unchanged);
    expect(await fixture.store.appendTogether(appends, unchanged)).toEqual(first);
    await fixture.append(a, 1, [event()]);
    await fixture.append(c, 0, [event()]);
    expect(await fixture.store.appendTogether(appends, unchanged)).toEqual(first);
    await fixture.reopen();
    expect(await fixture.store.appendTogether(appends, unchanged)).toEqual(first);
    expect(await revisions(a, b)).toEqual([[0, 1, 2], [0]]);
  });

  withTransactions('takes a half of an earlier call together with something new for a conflict', async () => {
    const [half, other] = [to(a, NO_STREAM, event()), to(b, NO_STREAM, event())];
    await fixture.store.appendTogether([half, other]);
    await expect(fixture.store.appendTogether([half, to(c, NO_STREAM, event())])).rejects.toBeInstanceOf(WrongExpectedRevision);
    expect(await revisions(a, b, c)).toEqual([[0], [0], []]);
  });

  withTransactions('lets one of many win', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => fixture.store.appendTogether([to(a, NO_STREAM, event()), to(b, NO_STREAM, event())])),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await revisions(a, b)).toEqual([[0], [0]]);
  });

  withTransactions('leads works over two streams in both orders to their ends, none in half', async () => {
    const both = async (streams: readonly StreamName[]): Promise<void> => {
      for (;;) {
        const heads = await Promise.all(streams.map(async (stream) => (await fixture.store.read(stream)).at(-1)?.revision ?? NO_STREAM));
        try {
          await fixture.store.appendTogether(streams.map((stream, index) => to(stream, heads[index] as number, event())));
          return;
        } catch (error) {
          if (!(error instanceof WrongExpectedRevision)) throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, number) => both(number % 2 ? [a, b] : [b, a])));
    const stored = Array.from({ length: 8 }, (_, index) => index);
    expect(await revisions(a, b)).toEqual([stored, stored]);
  });
};
