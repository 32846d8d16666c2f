import type { CloudEvent, MessageBus } from '#engines/message-bus';

import { EndpointShare } from '#domain/webhook';
import { DELIVERIES_GROUP, DELIVERIES_TOPIC, deliveryChannel, type NewDelivery } from '#domain/webhook';
import type { webhookDispatch } from '#domain/webhook';

/** The share of a process that owns all endpoints. */
export const allEndpoints = (): EndpointShare => {
  const share = new EndpointShare({ partitionOf: () => 0 });
  share.change({ partitions: 1, owned: [0] });
  return share;
};

type Dispatch = Pick<ReturnType<typeof webhookDispatch>, 'assigned' | 'takeDeliveryRequest'>;

/** Handles the delivery requests of all endpoints without making attempts. Answers a function that ends this. */
export const ownAllEndpoints = (bus: MessageBus, { assigned, takeDeliveryRequest }: Dispatch): (() => void) => {
  const stop = new AbortController();
  bus.consume({
    topic: DELIVERIES_TOPIC,
    group: DELIVERIES_GROUP,
    types: [...deliveryChannel.types],
    handler: (message) => takeDeliveryRequest.execute(message as CloudEvent<NewDelivery>),
    signal: stop.signal,
    assigned,
  });
  return () => stop.abort();
};
