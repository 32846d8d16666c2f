import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { streamName } from '#engines/event-store';

import { KafkaCluster } from '../../../testkit/programs/kafka/cluster.ts';
import { nameOf, relayedSessions } from './relayed-sessions.fixture.js';

jest.setTimeout(120_000);

/** These tests kill their broker, so they start one of their own. They run in this order on the same broker. */
describe('the event relay when its only broker fails', () => {
  let cluster: KafkaCluster;
  let sessions: ReturnType<typeof relayedSessions>;

  beforeAll(async () => {
    cluster = await KafkaCluster.open({ directory: await mkdtemp(join(tmpdir(), 'kafka-')) });
    await cluster.start();
    sessions = relayedSessions({ brokers: cluster.brokers });
  }, 120_000);
  afterAll(async () => {
    await sessions.close();
    await cluster.remove();
  });

  it('publishes everything after the broker was killed under load', async () => {
    await sessions.create(20);
    await cluster.kill();
    await sessions.create(50);
    const last = streamName('session', sessions.created.at(-1) ?? '');
    expect(await sessions.store.read(last)).toHaveLength(3); // the store does not depend on the broker
    await cluster.start();
    await sessions.create(20);
    await sessions.allSeen();
  });

  it('publishes everything again, equal to the first time, when the broker has lost its disk', async () => {
    await sessions.allSeen();
    const before = [...sessions.seen];
    await cluster.kill();
    await cluster.wipe();
    await cluster.start();
    await sessions.create(5);
    await sessions.allSeen(before.length);
    const again = new Map(sessions.seen.slice(before.length).map((message) => [nameOf(message), message]));
    for (const message of before) expect(again.get(nameOf(message))).toEqual(message);
    expect((await sessions.metrics.relayRefills.get()).values[0]!.value).toBe(1);
  });
});
