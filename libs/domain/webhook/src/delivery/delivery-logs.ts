import { type EndpointId, RecentlyUsed } from '#kernel';

import { DeliveryLog, type DeliveryLogParts } from './delivery-log.js';

/** Endpoints whose log stays open while nothing happens. */
const MOST_OPEN = 20_000;

/** The open logs of this process. One that was closed is opened again from the tables. */
export class DeliveryLogs {
  readonly #logs = new RecentlyUsed<EndpointId, Promise<DeliveryLog>>(MOST_OPEN);
  #trustsTables = true;

  constructor(private readonly parts: DeliveryLogParts) {}

  of(endpointId: EndpointId): Promise<DeliveryLog> {
    const known = this.#logs.get(endpointId);
    if (known) return known;
    const log = this.#open(endpointId);
    this.#logs.set(endpointId, log);
    log.catch(() => this.#logs.delete(endpointId));
    return log;
  }

  /** Drops from memory the ended deliveries that the tables hold. */
  async forgetEnded(): Promise<void> {
    // A copy: each use of a log moves it within the list, which a walk through it would never leave under load.
    for (const log of [...this.#logs.values()]) await (await log).forgetEnded();
  }

  /** Closes the logs of all other endpoints. */
  keepOnly(isKept: (endpointId: EndpointId) => boolean): void {
    for (const endpointId of [...this.#logs.keys()]) if (!isKept(endpointId)) this.#logs.delete(endpointId);
  }

  /**
   * The store was restored from an older copy: the logs may hold lost events, at revisions that other events have now. All are read again from their streams, and without
   * the tables, which may be of before the restoration.
   */
  storeRestored(): void {
    this.#trustsTables = false;
    this.#logs.clear();
  }

  async #open(endpointId: EndpointId): Promise<DeliveryLog> {
    const log = new DeliveryLog(endpointId, this.parts, this.#trustsTables);
    await log.refresh();
    return log;
  }
}
