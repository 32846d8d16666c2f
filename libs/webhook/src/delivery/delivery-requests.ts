import { currentTraceparent, type EndpointId } from '#kernel';
import type { MessageBus } from '#message-bus';

import type { Delivery } from '../domain/delivery.js';
import { DELIVERIES_TOPIC, type NewDelivery, requested, retryRequested } from '../domain/delivery-request.js';

/** Asks the owners of endpoints, the only ones that write delivery logs. A request that is on the bus is carried out, once, however often it is repeated. */
export class DeliveryRequests {
  constructor(private readonly bus: Pick<MessageBus, 'send'>) {}

  /** Asks for new deliveries. Throws ServiceUnavailable: repeat the call then. */
  async add(deliveries: readonly NewDelivery[]): Promise<void> {
    const traceparent = currentTraceparent();
    if (deliveries.length > 0)
      await this.bus.send(
        DELIVERIES_TOPIC,
        deliveries.map((delivery) => requested(delivery, traceparent)),
      );
  }

  /** Asks for another schedule of ended deliveries. Throws ServiceUnavailable. */
  async retry(endpointId: EndpointId, deliveries: readonly Delivery[]): Promise<void> {
    const traceparent = currentTraceparent();
    if (deliveries.length > 0)
      await this.bus.send(
        DELIVERIES_TOPIC,
        deliveries.map((delivery) => retryRequested(endpointId, delivery, traceparent)),
      );
  }
}
