import type { EndpointId } from '#kernel';
import type { EventStore } from '#event-store';

import type { DeliveryEvent } from '../domain/delivery.events.js';
import { deliveryLogStream } from './delivery-log.js';

/** Events of one read. */
const CHUNK = 1_000;

/** What is recorded of the messages to an endpoint, backwards: whoever wants the newest only stops there, however long the log is. */
export const newestFirst = async function* (store: EventStore, endpointId: EndpointId): AsyncGenerator<DeliveryEvent> {
  let from: number | undefined;
  do {
    const events = await store.read(deliveryLogStream(endpointId), { direction: 'backwards', limit: CHUNK, ...(from !== undefined && { from }) });
    for (const { type, data } of events) yield { type, data } as unknown as DeliveryEvent;
    from = (events.at(-1)?.revision ?? 0) - 1;
  } while (from >= 0);
};
