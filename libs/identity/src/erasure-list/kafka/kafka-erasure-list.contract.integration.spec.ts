import { describe } from '@jest/globals';

import { SystemRandomness } from '#kernel';
import { SilentLog } from '#telemetry';

import { erasureListContract } from '../erasure-list.contract.js';
import { KafkaErasureList } from './kafka-erasure-list.js';

const brokers = process.env['KAFKA_BROKERS']?.split(',') ?? [];

(brokers.length > 0 ? describe : describe.skip)('KafkaErasureList', () => {
  const parts = { brokers, clientId: 'contract', randomness: new SystemRandomness(), log: new SilentLog() };
  erasureListContract({ open: (name) => new KafkaErasureList({ ...parts, topic: `test.${name}.erasures` }) });
});
