import type { EndpointId } from '#kernel';
import type { EventStore } from '#engines/event-store';

import type { DeliveryEvent } from '../domain/delivery.events.js';
import { deliveryLogStream } from '../streams.js';

/** Events in one read. */
const CHUNK = 1_000;

/** The log of an endpoint backwards, read in chunks: a caller that needs the newest entries only stops there. */
export const newestFirst = async function* (store: EventStore, endpointId: EndpointId): AsyncGenerator<DeliveryEvent> {
  let from: number | undefined;
  do {
    const events = await store.read<DeliveryEvent>(deliveryLogStream(endpointId), {
      direction: 'backwards',
      limit: CHUNK,
      ...(from !== undefined && { from }),
    });
    yield* events;
    from = (events.at(-1)?.revision ?? 0) - 1;
  } while (from >= 0);
};
