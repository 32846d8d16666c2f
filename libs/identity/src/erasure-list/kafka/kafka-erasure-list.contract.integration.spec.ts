import { describe } from '@jest/globals';

import { SystemRandomness } from '#kernel';
import { SilentLog } from '#telemetry';

import { kafkaConnectionByCertificate } from '../../../../message-bus/src/testing/settings.js';
import { erasureListContract } from '../erasure-list.contract.js';
import { KafkaErasureList } from './kafka-erasure-list.js';

const connection = kafkaConnectionByCertificate();

(connection.brokers.length > 0 ? describe : describe.skip)('KafkaErasureList', () => {
  const parts = { ...connection, clientId: 'contract', randomness: new SystemRandomness(), log: new SilentLog() };
  erasureListContract({ open: (name) => new KafkaErasureList({ ...parts, topic: `test.${name}.erasures` }) });
});
