import { describe } from '@jest/globals';

import { consumerContract } from '../nest/consumer.contract.js';
import { EmbeddedMessageBus } from './embedded-message-bus.js';

describe('controllers on the embedded bus', () => {
  consumerContract({ open: async (parts) => new EmbeddedMessageBus(parts), publish: async () => undefined });
});
