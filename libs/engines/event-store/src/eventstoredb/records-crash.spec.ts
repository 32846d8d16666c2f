import { type DomainEvent, type EventId, pause, ServiceUnavailable, SystemClock, SystemRandomness } from '#kernel';
import { authenticated } from '#testkit/event-store/authenticated';
import { open, server, store, stream, useTestServer } from '#testkit/event-store/eventstoredb/event-store-on-test-server';
import { eventually } from '#testkit/kernel/eventually';

import { type EventStore, NO_STREAM, type StreamAppend, type StreamName } from '../event-store.js';
import type { StreamType } from '../unit-of-work/stream-type.js';
import { UnitOfWork } from '../unit-of-work/unit-of-work.js';
import { Connection } from './connection.js';
import { RecordsChannel } from './records-channel.js';
import type { RecordsRequest } from './records-messages.js';

const UNITS = 500;
/** Thousands of calls take their time on a busy machine. Milliseconds. */
const MINUTES = 300_000;
/** On a busy machine no work may be answered before it gives up: then the server dies under works that are all open. Milliseconds. */
const LONG_ENOUGH = 3_000;
const randomness = new SystemRandomness();

const COUNTER: StreamType<number, 'count', DomainEvent<'Counted'>> = {
  category: 'counter',
  decider: { initial: 0, decide: () => [{ type: 'Counted', data: {} }], evolve: (count) => count + 1 },
};

/** Two events in one stream and one in another, beside a check of a third one. */
const unit = (): RecordsRequest => {
  const events = (count: number) =>
    Array.from({ length: count }, () => ({ id: randomness.uuid<EventId>(), type: 'Happened', data: '{}', metadata: '{"v":1}' }));
  return {
    appends: [
      { stream: stream(), expected: NO_STREAM, events: events(2) },
      { stream: stream(), expected: NO_STREAM, events: events(1) },
    ],
    unchanged: [{ stream: stream(), expected: NO_STREAM }],
  };
};
const appendsOf = ({ appends }: RecordsRequest): readonly StreamAppend[] =>
  appends.map(({ stream: name, expected, events }) => ({
    stream: name,
    expected,
    events: events.map(() => ({ type: 'Happened', data: {} })),
    ids: events.map(({ id }) => id),
  }));

/** Does the work for each item, some at a time: how many calls at once a server bears is not the question. */
const forEach = async <Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> => {
  const rest = [...items];
  const some = async (): Promise<void> => {
    for (let item = rest.pop(); item !== undefined; item = rest.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: 4 }, some));
};
/** The ids of the events in each of the streams. */
const idsIn = async (reading: EventStore, streams: readonly StreamName[]): Promise<ReadonlyMap<StreamName, readonly EventId[]>> => {
  const found = new Map<StreamName, readonly EventId[]>();
  await forEach(streams, async (name) => {
    const events = await reading.read(name);
    found.set(
      name,
      events.map(({ id }) => id),
    );
  });
  return found;
};
const streamsOf = (units: readonly RecordsRequest[]): readonly StreamName[] =>
  units.flatMap(({ appends }) => appends.map(({ stream: name }) => name));

describe('KurrentDB, killed under units of work', () => {
  useTestServer('26.1');

  it(
    'has each of 500 calls whole or not at all, the answered ones whole, and repetitions store none of them twice',
    async () => {
      const connection = new Connection({ connectionString: server.connectionString, clock: new SystemClock(), pause });
      const channel = new RecordsChannel(connection);
      const units = Array.from({ length: UNITS }, unit);
      let answered = 0;
      const appending = units.map(async (request) => {
        const { kind } = await channel.append(request, 30_000);
        if (kind === 'stored') answered += 1;
        return kind;
      });
      await eventually(() => answered > 0);
      await server.kill();
      const outcomes = await Promise.all(appending);
      await server.restart();
      await eventually(() =>
        store
          .check()
          .then(() => true)
          .catch(() => false),
      );

      expect(outcomes.every((kind) => kind === 'stored' || kind === 'unknown')).toBe(true);
      const found = await idsIn(store, streamsOf(units));
      for (const [index, { appends }] of units.entries()) {
        const counts = appends.map(({ stream: name }) => found.get(name)?.length);
        expect(
          outcomes[index] === 'stored'
            ? [[2, 1]]
            : [
                [2, 1],
                [0, 0],
              ],
        ).toContainEqual(counts);
      }

      await forEach(units, async (request) => {
        expect(await store.appendTogether(appendsOf(request), request.unchanged)).toMatchObject([{ revision: 1 }, { revision: 0 }]);
      });
      const repeated = await idsIn(store, streamsOf(units));
      for (const { appends } of units)
        expect(appends.map(({ stream: name }) => repeated.get(name))).toEqual(appends.map(({ events }) => events.map(({ id }) => id)));
      await connection.close();
    },
    MINUTES,
  );

  it(
    'has each of 500 works whole or not at all, and none twice',
    async () => {
      const writing = authenticated(open());
      const unitOfWork = new UnitOfWork(writing, new SystemClock());
      const rule = stream('counter');
      await unitOfWork.run(async (streams) => void (await streams.begin(COUNTER, rule)).decide('count'));
      const works = Array.from({ length: UNITS }, () => [stream('counter'), stream('counter')] as const);
      let answered = 0;
      const running = works.map(async (names) => {
        await unitOfWork.run(async (streams) => {
          await streams.recall(COUNTER, rule);
          for (const name of names) (await streams.begin(COUNTER, name)).decide('count');
        });
        answered += 1;
      });
      const settled = Promise.allSettled(running);
      const began = performance.now();
      await eventually(() => answered > 0 || performance.now() - began > LONG_ENOUGH);
      await server.kill();
      await server.restart();
      const outcomes = await settled;
      await writing.close();

      const found = await idsIn(authenticated(store), works.flat());
      for (const [index, outcome] of outcomes.entries()) {
        const counts = works[index]!.map((name) => found.get(name)?.length);
        expect(
          outcome.status === 'fulfilled'
            ? [[1, 1]]
            : [
                [1, 1],
                [0, 0],
              ],
        ).toContainEqual(counts);
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(ServiceUnavailable);
      }
    },
    MINUTES,
  );
});
