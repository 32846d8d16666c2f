import { describe } from '@jest/globals';

import { messageBusContract } from '#testkit/message-bus/message-bus.contract';
import { EmbeddedMessageBus } from './embedded-message-bus.js';

describe('EmbeddedMessageBus', () => {
  messageBusContract({
    open: async (parts) => new EmbeddedMessageBus(parts),
    publish: async () => undefined, // it reads the store
  });
});
