import { type EndpointId, knownEvents } from '#kernel';
import { DeclaredStreams, type StreamName } from '#engines/event-store';

import type { DeliveryEvent } from './domain/delivery.events.js';
import { LOG_RETENTION } from './domain/retention.js';

export const DELIVERY_LOGS = new DeclaredStreams({
  category: 'deliverylog',
  owner: 'libs/domain/webhook',
  ids: ['<endpointId>'],
  events: knownEvents<DeliveryEvent>(1, { DeliveryAdded: true, DeliveryAttempted: true, DeliveryEnded: true, DeliveryRetried: true }),
  retention: { maxAge: LOG_RETENTION / 1_000 },
  sealed: false,
  guarded: [],
});
export const deliveryLogStream = (endpointId: EndpointId): StreamName => DELIVERY_LOGS.of(endpointId);

export const WEBHOOK_STREAMS = [DELIVERY_LOGS];
