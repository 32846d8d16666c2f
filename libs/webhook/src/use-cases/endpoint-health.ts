import type { EndpointId } from '#kernel';
import type { EventStore } from '#event-store';

import { newestFirst } from '../delivery/newest-first.js';

/** So far back in the log it is looked: entries. */
const FAR_ENOUGH = 1_000;

/** How an endpoint has done lately, as its log says now. */
export class EndpointHealth {
  constructor(private readonly store: EventStore) {}

  /**
   * Since when no attempt has succeeded, epoch milliseconds: at least since then, as the newest thousand entries tell. Undefined when the last
   * one succeeded, or there was none.
   */
  async failingSince(endpointId: EndpointId): Promise<number | undefined> {
    let [since, looked]: [number | undefined, number] = [undefined, 0];
    for await (const { type, data } of newestFirst(this.store, endpointId)) {
      if (++looked > FAR_ENOUGH || (type === 'DeliveryAttempted' && data.end === 'succeeded')) break;
      if (type === 'DeliveryAttempted') since = data.at;
    }
    return since;
  }
}
