import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';
import { SilentLog } from '#telemetry';

import { KafkaCluster } from '../../../../../testkit/programs/kafka/cluster.ts';
import { BoundedProducer } from './bounded-producer.js';
import { kafkaClient } from './kafka-client.js';

jest.setTimeout(120_000);

const TOPIC = 'moving';

describe('a producer of two brokers', () => {
  let cluster: KafkaCluster;
  beforeAll(async () => {
    cluster = await KafkaCluster.open({ directory: await mkdtemp(join(tmpdir(), 'kafka-')), brokers: 2 });
    await cluster.start();
  });
  afterAll(() => cluster?.remove());

  it('stores a message whose partition moves, during the call, to the broker that has answered for the other partition', async () => {
    const kafka = kafkaClient({ brokers: cluster.brokers, clientId: 'test' }, new SilentLog());
    const producer = new BoundedProducer(kafka);
    const admin = kafka.admin();
    await admin.connect();
    const partitions = async () => (await admin.fetchTopicMetadata({ topics: [TOPIC] })).topics[0]?.partitions ?? [];
    const ends = async (): Promise<string[]> =>
      (await admin.fetchTopicOffsets(TOPIC)).toSorted((a, b) => a.partition - b.partition).map(({ high }) => high);
    const send = (name: string) =>
      producer.send({ topic: TOPIC, messages: [0, 1].map((partition) => ({ partition, value: `${name} ${partition}` })) });
    await admin.createTopics({
      topics: [
        {
          topic: TOPIC,
          replicaAssignment: [
            { partition: 0, replicas: [1] },
            { partition: 1, replicas: [2] },
          ],
          configEntries: [{ name: 'min.insync.replicas', value: '1' }],
        },
      ],
    });
    await send('before');

    await admin.alterPartitionReassignments({ topics: [{ topic: TOPIC, partitionAssignment: [{ partition: 1, replicas: [1] }] }] });
    await eventually(async () => (await partitions()).every(({ leader, replicas }) => leader === 1 && replicas.length === 1), {
      what: 'both partitions on the first broker',
      within: 60_000,
    });
    // The producer still takes the second broker for the leader of partition 1.
    await send('after');

    const [first, second] = await ends();
    expect(Number(first)).toBeGreaterThanOrEqual(2);
    expect(Number(second)).toBe(2);
    await producer.close();
    await admin.disconnect();
  });
});
