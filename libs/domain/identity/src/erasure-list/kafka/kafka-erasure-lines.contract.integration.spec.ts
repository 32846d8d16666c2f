import { describe, expect, it } from '@jest/globals';

import { type IdentityId, SystemRandomness } from '#kernel';
import { SilentLog } from '#telemetry';

import { eventually } from '#testkit/kernel/eventually';
import { foreignClient, kafkaConnectionByCertificate } from '#testkit/message-bus/settings';
import { ERASURE_MACS } from '#testkit/identity/erasure-list/erasure-macs';
import { erasureListContract } from '#testkit/identity/erasure-list/erasure-list.contract';
import { AuthenticatedErasureList } from '../authenticated-erasure-list.js';
import { KafkaErasureLines } from './kafka-erasure-lines.js';

const connection = kafkaConnectionByCertificate();
const randomness = new SystemRandomness();

(connection.brokers.length > 0 ? describe : describe.skip)('the list of erasures on a topic', () => {
  const parts = { ...connection, clientId: 'contract', randomness, log: new SilentLog() };
  const topicOf = (name: string): string => `test.${name}.erasures`;
  const listOn = (topic: string) => new AuthenticatedErasureList(new KafkaErasureLines({ ...parts, topic }), ERASURE_MACS);
  erasureListContract({ open: (name) => listOn(topicOf(name)) });

  it('refuses records of others, and writes those again that were overwritten or removed', async () => {
    const topic = topicOf(randomness.bytes(6).toString('hex'));
    const [ann, ben, eve] = [randomness.uuid<IdentityId>(), randomness.uuid<IdentityId>(), randomness.uuid<IdentityId>()];
    const list = listOn(topic);
    await list.add(ann, 1);
    await list.add(ben, 2);
    const both = new Map([
      [ann, 1],
      [ben, 2],
    ]);
    await eventually(
      () =>
        list.all().then(
          ({ size }) => size === 2,
          () => false,
        ),
      { what: 'the list has both persons' },
    );
    const producer = foreignClient().producer();
    await producer.connect();
    const { mac } = ERASURE_MACS.signed(ann, 1);
    await producer.send({
      topic,
      messages: [
        { key: ann, value: JSON.stringify({ erasedAt: 9, mac }) },
        { key: ben, value: null },
        { key: eve, value: JSON.stringify({ erasedAt: 1, mac }) },
      ],
    });
    await producer.disconnect();
    const { entries, faults } = await list.read();
    expect(entries).toEqual(both);
    expect(faults.map(({ reason, identityId }) => [reason, identityId]).toSorted()).toEqual(
      [
        ['forged', ann],
        ['forged', eve],
        ['missing', ann],
        ['missing', ben],
      ].toSorted(),
    );
    const other = listOn(topic);
    expect(await other.all()).toEqual(both);
    await Promise.all([list.close(), other.close()]);
  });
});
