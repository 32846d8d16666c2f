import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { type EventStore, NO_STREAM, type RecordedEvent, SqliteEventStore, streamName } from '#engines/event-store';
import { SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { eventually } from '#testkit/kernel/eventually';
import { Metrics, SilentLog } from '#telemetry';

import { ProjectionLag } from './projection-lag.js';
import { Projections } from './projections.js';
import { openSqliteReadModels } from './sqlite/sqlite-read-models.js';
import { SubscriptionProgress } from './subscription-progress.js';
import { thingsProjection } from '#testkit/read-model/things';

const NEVER = new AbortController().signal;

let clock: FixedClock;
let metrics: Metrics;
let store: EventStore;
let things: number;

beforeEach(() => {
  clock = new FixedClock();
  metrics = new Metrics();
  store = new SqliteEventStore({ path: ':memory:', clock });
  things = 0;
});
afterEach(() => store.close());

const say = async (...words: string[]): Promise<readonly RecordedEvent[]> => {
  const stream = streamName('thing', String((things += 1)));
  const said = words.map((word) => ({ type: 'Said', data: { word } }));
  await store.append(stream, NO_STREAM, said);
  return store.read(stream);
};
const valueOf = async (gauge: Metrics['projectionLag']): Promise<number | undefined> => (await gauge.get()).values[0]?.value;
const seconds = () => valueOf(metrics.projectionLag);
const events = () => valueOf(metrics.projectionLagEvents);

describe('the lag of a projection', () => {
  let lag: ProjectionLag;
  let progress: SubscriptionProgress;
  let handOver: (...given: readonly RecordedEvent[]) => void;

  beforeEach(() => {
    lag = new ProjectionLag({ name: 'things', categories: ['thing'] }, { eventStore: store, clock, metrics });
    progress = new SubscriptionProgress(undefined);
    lag.follow(progress);
    handOver = (...given) => {
      for (const event of given) {
        lag.begin();
        progress.handed(event, true);
      }
    };
  });
  const apply = (event: RecordedEvent, caughtUp = true): void => {
    progress.applied(1, event);
    lag.applied(caughtUp);
  };
  const reported = async (): Promise<number | undefined> => {
    lag.report();
    return seconds();
  };

  it('grows from the start until the history is applied', async () => {
    const [one] = await say('one');
    clock.advance(5_000);
    expect(await reported()).toBe(5);
    handOver(one!);
    apply(one!, false);
    expect(await reported()).toBe(5);
    lag.applied(true);
    expect(await reported()).toBe(0);
  });

  it('grows while an event waits to be applied', async () => {
    lag.applied(true);
    const [one] = await say('one');
    handOver(one!);
    clock.advance(70_000);
    expect(await reported()).toBe(70);
    await lag.count(NEVER);
    expect(await events()).toBe(1);
    apply(one!);
    await lag.count(NEVER);
    expect([await reported(), await events()]).toEqual([0, 0]);
  });

  it('does not grow under a load that leaves no moment without a waiting event', async () => {
    lag.applied(true);
    let waiting = (await say('first'))[0]!;
    handOver(waiting);
    for (let second = 0; second < 60; second += 1) {
      clock.advance(1_000);
      const [next] = await say('next');
      handOver(next!);
      apply(waiting);
      waiting = next!;
      if (second % 15 === 0) await lag.count(NEVER);
    }
    expect(await reported()).toBeLessThanOrEqual(16);
  });

  it('begins when the store has events that the subscription does not hand over', async () => {
    lag.applied(true);
    await say('one', 'two');
    await lag.count(NEVER);
    clock.advance(9_000);
    expect([await reported(), await events()]).toEqual([9, 2]);
  });

  it('is not shown by a process that does not write', async () => {
    await lag.count(NEVER);
    lag.clear();
    lag.report();
    await lag.count(NEVER);
    expect([await seconds(), await events()]).toEqual([undefined, undefined]);
  });

  it('keeps its count while the store does not answer', async () => {
    await say('one');
    await lag.count(NEVER);
    await store.close();
    await lag.count(NEVER);
    expect(await events()).toBe(1);
  });
});

describe('the metrics of a process that writes a read model', () => {
  it('show how far it is behind while its database refuses, and nothing once it has ended', async () => {
    let broken = true;
    const projection = thingsProjection({
      beforeEach: () => {
        if (broken) throw new Error('the disk is full');
      },
    });
    const log = new SilentLog();
    const warned = jest.spyOn(log, 'warn');
    const projections = new Projections({
      readModels: openSqliteReadModels(':memory:'),
      eventStore: store,
      clock,
      randomness: new SystemRandomness(),
      log,
      metrics,
      times: { beat: 5, watch: 5, retry: 5, count: 5 },
    });
    await say('one', 'two');
    projections.follow(projection);
    await eventually(() => warned.mock.calls.length > 0);
    clock.advance(61_000);
    await eventually(async () => (await seconds())! >= 61 && (await events()) === 2);
    broken = false;
    await eventually(async () => (await seconds()) === 0 && (await events()) === 0);
    await projections.close();
    expect([await seconds(), await events()]).toEqual([undefined, undefined]);
  });
});
