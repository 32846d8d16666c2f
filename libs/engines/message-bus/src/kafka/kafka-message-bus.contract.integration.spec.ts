import { afterAll, describe } from '@jest/globals';

import { SystemRandomness } from '#kernel';
import { SilentLog } from '#telemetry';

import { messageBusContract } from '#testkit/message-bus/message-bus.contract';
import { RECORD_MACS } from '#testkit/message-bus/record-macs';
import { kafkaConnection } from '#testkit/message-bus/settings';
import { KafkaMessageBus } from './kafka-message-bus.js';
import { KafkaPublisher } from './kafka-publisher.js';

const connection = kafkaConnection();

(connection.brokers.length > 0 ? describe : describe.skip)('KafkaMessageBus', () => {
  const settings = { ...connection, clientId: 'contract', macs: RECORD_MACS, fetchWait: 500 };
  const publisher = new KafkaPublisher(settings, new SilentLog(), new SystemRandomness());
  afterAll(() => publisher.close());

  messageBusContract({
    open: async (parts) => new KafkaMessageBus({ ...parts, ...settings }),
    publish: async (topic, messages) => {
      await publisher.prepare(topic, 'create');
      await publisher.publish(topic, messages);
    },
  });
});
