import { afterAll, describe } from '@jest/globals';

import { SystemRandomness } from '#kernel';
import { SilentLog } from '#telemetry';

import { consumerContract } from '#testkit/message-bus/nest/consumer.contract';
import { RECORD_MACS } from '#testkit/message-bus/record-macs';
import { kafkaConnection } from '#testkit/message-bus/settings';
import { KafkaMessageBus } from './kafka-message-bus.js';
import { KafkaPublisher } from './kafka-publisher.js';

const connection = kafkaConnection();

(connection.brokers.length > 0 ? describe : describe.skip)('controllers on Kafka', () => {
  const settings = { ...connection, clientId: 'contract', macs: RECORD_MACS, fetchWait: 500 };
  const publisher = new KafkaPublisher(settings, new SilentLog(), new SystemRandomness());
  afterAll(() => publisher.close());

  consumerContract({
    open: async (parts) => new KafkaMessageBus({ ...parts, ...settings }),
    publish: async (topic, messages) => {
      await publisher.prepare(topic, 'create');
      await publisher.publish(topic, messages);
    },
  });
});
