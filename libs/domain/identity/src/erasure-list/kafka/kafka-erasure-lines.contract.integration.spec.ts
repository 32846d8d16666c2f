import { describe } from '@jest/globals';

import { SystemRandomness } from '#kernel';
import { SilentLog } from '#telemetry';

import { kafkaConnectionByCertificate } from '#testkit/message-bus/settings';
import { erasureListContract } from '#testkit/identity/erasure-list/erasure-list.contract';
import { KafkaErasureList } from './kafka-erasure-list.js';

const connection = kafkaConnectionByCertificate();

(connection.brokers.length > 0 ? describe : describe.skip)('KafkaErasureList', () => {
  const parts = { ...connection, clientId: 'contract', randomness: new SystemRandomness(), log: new SilentLog() };
  erasureListContract({ open: (name) => new KafkaErasureList({ ...parts, topic: `test.${name}.erasures` }) });
});
