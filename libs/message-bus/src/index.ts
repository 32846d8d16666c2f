export type { CloudEvent } from './cloud-event.js';
export { EmbeddedMessageBus } from './embedded/embedded-message-bus.js';
export { type ConsumeOptions, type Consumption, type DeadLetter, type DeliveryContext, MessageBus, type MessageHandler } from './message-bus.js';
export { MessageContext } from './nest/message-bus-strategy.js';
export { type RunningConsumer, startConsumer } from './nest/start-consumer.js';
export { type Publication, UnpublishableEvent } from './publication.js';
