import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { pause } from '../support/index.js';
import type { KafkaCluster } from '../../testkit/programs/kafka/cluster.ts';
import { SESSION_EVENTS, type Tapped } from './support/bus-tap.js';
import { kafkaClient } from './support/kafka-client.js';
import { metric } from './support/metric.js';
import { Rig } from './support/rig.js';

/** How long each of the states lasts: three brokers, two, one. Milliseconds. */
const PHASE_DURATION = 6_000;
const TIME_LIMIT = 120_000;

let rig: Rig;
let cluster: KafkaCluster;

beforeAll(async () => {
  rig = await Rig.start('brokers', { brokers: 3, kills: ['KAFKA_BROKERS'], replicated: ['event-relay'], users: 4 });
  cluster = rig.topology.kafka!;
});

afterAll(() => rig?.stop());

/** The leader of each partition of the topic, and the brokers that hold all of it. */
const partitions = async (): Promise<{ readonly leader: number; readonly inSync: readonly number[] }[]> => {
  const admin = kafkaClient(cluster.brokers).admin();
  try {
    await admin.connect();
    const { topics } = await admin.fetchTopicMetadata({ topics: [SESSION_EVENTS] });
    return topics[0]!.partitions.map(({ leader, isr }) => ({ leader, inSync: isr }));
  } finally {
    await admin.disconnect();
  }
};

/** The broker that leads most of them; Kafka spreads them evenly, so the two that are killed lead four of the six. */
const leaderOf = (all: readonly { readonly leader: number }[]): number =>
  cluster.ids.toSorted((a, b) => all.filter(({ leader }) => leader === b).length - all.filter(({ leader }) => leader === a).length)[0]!;

const published = async (): Promise<number> => {
  const counts = await Promise.all(
    rig.topology.of('event-relay').map(async (relay) => (await metric(relay, 'event_relay_events_total', { outcome: 'published' })) ?? 0),
  );
  return counts.reduce((sum, count) => sum + count, 0);
};

const nameOf = ({ partition, id, content }: Tapped): string => `${partition} ${id} ${content}`;

describe('three brokers', () => {
  it('after the loss of the leader and of a second broker: producers wait, logins continue, and every acknowledged record is there when all brokers are back', async () => {
    const history = rig.underLoad();
    await eventually(async () => (await published()) > 0, { what: 'a first record', within: TIME_LIMIT });
    let whole = await partitions();
    expect(whole).toHaveLength(6);
    await eventually(async () => (whole = await partitions()).every(({ inSync }) => inSync.length === 3), {
      what: 'all replicas in sync',
      within: TIME_LIMIT,
    });
    await pause(PHASE_DURATION);

    const first = leaderOf(whole);
    const acknowledged = await rig.tap.read();
    const before = await published();
    await cluster.kill([first]);
    const moved = performance.now();
    await eventually(async () => (await published()) > before, { what: 'a record with two brokers', within: TIME_LIMIT });
    console.log(
      `broker ${first}, leader of ${whole.filter(({ leader }) => leader === first).length} partitions, killed: publishing again after ${Math.round(performance.now() - moved)} ms`,
    );
    await pause(PHASE_DURATION);
    const withTwo = await rig.tap.read();

    const second = cluster.ids.find((id) => id !== first)!;
    await cluster.kill([second]);
    // Requests under way fail or end.
    let blocked = -1;
    const isQuiet = async (): Promise<boolean> => {
      const before = blocked;
      blocked = await published();
      if (blocked !== before) await pause(2_000);
      return blocked === before;
    };
    await eventually(isQuiet, { what: 'nothing is published any more', within: TIME_LIMIT });
    const logins = history.load.logins;
    await pause(PHASE_DURATION);
    await eventually(() => history.load.logins > logins, { what: 'logins go on', within: TIME_LIMIT });
    const meanwhile = history.load.logins - logins;
    expect(await published()).toBe(blocked);

    await cluster.start([first, second]);
    const back = performance.now();
    await eventually(async () => (await published()) > blocked, { what: 'a record with three brokers', within: TIME_LIMIT });
    const resumed = Math.round(performance.now() - back);
    await history.load.stop();
    expect(await history.violations()).toEqual([]);
    console.log(
      `one broker of three: ${meanwhile} logins, nothing published; publishing again ${resumed} ms after the return, all ${history.stored.size} sessions there ${Math.round(performance.now() - back)} ms after it`,
    );
    expect(history.load.failures).toEqual([]);

    const now = new Set((await rig.tap.read()).map(nameOf));
    expect([...acknowledged, ...withTwo].filter((record) => !now.has(nameOf(record)))).toEqual([]);
    await eventually(async () => (await partitions()).every(({ inSync }) => inSync.length === 3), {
      what: 'all replicas in sync',
      within: TIME_LIMIT,
    });
    expect(await rig.secrecyViolations()).toEqual([]);
  });
});
