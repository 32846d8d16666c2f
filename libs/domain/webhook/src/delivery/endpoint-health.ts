import type { EndpointId } from '#kernel';
import type { EventStore } from '#engines/event-store';

import { newestFirst } from './newest-first.js';

/** Entries of the log that are read at most. */
const MOST_ENTRIES = 1_000;

/** Whether the latest attempts at an endpoint succeeded, as its log says now. */
export class EndpointHealth {
  constructor(private readonly store: EventStore) {}

  /**
   * Since when no attempt has succeeded, epoch milliseconds. The newest thousand entries are read: it may be longer. Undefined when the last
   * attempt succeeded, or there was none.
   */
  async failingSince(endpointId: EndpointId): Promise<number | undefined> {
    let [since, entries]: [number | undefined, number] = [undefined, 0];
    for await (const { type, data } of newestFirst(this.store, endpointId)) {
      if (++entries > MOST_ENTRIES || (type === 'DeliveryAttempted' && data.end === 'succeeded')) break;
      if (type === 'DeliveryAttempted') since = data.at;
    }
    return since;
  }
}
