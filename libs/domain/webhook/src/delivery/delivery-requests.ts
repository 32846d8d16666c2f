import { currentTraceparent, type EndpointId } from '#kernel';
import type { MessageBus } from '#engines/message-bus';

import type { Delivery } from '../domain/delivery.js';
import { DELIVERIES_TOPIC, type NewDelivery, requested, retryRequested } from '../domain/delivery-request.js';

/** Asks the owners of endpoints, because only they write delivery logs. The owner carries out each request on the bus once, also a repeated one. */
export class DeliveryRequests {
  constructor(private readonly bus: Pick<MessageBus, 'send'>) {}

  /** Asks for new deliveries. Throws ServiceUnavailable; the caller has to repeat the call then. */
  async add(deliveries: readonly NewDelivery[]): Promise<void> {
    const traceparent = currentTraceparent();
    if (deliveries.length > 0)
      await this.bus.send(
        DELIVERIES_TOPIC,
        deliveries.map((delivery) => requested(delivery, traceparent)),
      );
  }

  /** Asks for ended deliveries to be scheduled again. Throws ServiceUnavailable. */
  async retry(endpointId: EndpointId, deliveries: readonly Delivery[]): Promise<void> {
    const traceparent = currentTraceparent();
    if (deliveries.length > 0)
      await this.bus.send(
        DELIVERIES_TOPIC,
        deliveries.map((delivery) => retryRequested(endpointId, delivery, traceparent)),
      );
  }
}
