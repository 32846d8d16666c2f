import { describe } from '@jest/globals';

import { consumerContract } from '#testkit/message-bus/nest/consumer.contract';
import { EmbeddedMessageBus } from './embedded-message-bus.js';

describe('controllers on the embedded bus', () => {
  consumerContract({ open: async (parts) => new EmbeddedMessageBus(parts), publish: async () => undefined });
});
