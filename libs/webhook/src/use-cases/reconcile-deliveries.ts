import type { Clock } from '#kernel';

import type { Delivery } from '../domain/delivery.js';
import type { DeliveryLog } from '../delivery/delivery-log.js';
import type { DeliveryLogs } from '../delivery/delivery-logs.js';
import { jobIdOf, type WebhookJobs } from '../delivery/webhook-jobs.js';
import type { DeliveryRows } from '../read-models/delivery-rows.js';

/** How long an attempt that the queue has given up is left alone, in milliseconds: its cause may last. */
const OVERDUE = 60_000;
/** Deliveries that are put back at the same time. */
const AT_ONCE = 100;

export interface ReconcileParts {
  readonly rows: DeliveryRows;
  readonly logs: DeliveryLogs;
  readonly jobs: WebhookJobs;
  readonly clock: Clock;
}

/** Fills the queue with the pending deliveries: an attempt that the queue lost is put back, with its number. */
export class ReconcileDeliveries {
  constructor(private readonly parts: ReconcileParts) {}

  /** How many deliveries are pending. Jobs that the queue holds stay as they are. Throws ReadModelsUnavailable. */
  async execute(): Promise<number> {
    const { rows, logs, jobs } = this.parts;
    const givenUp = await jobs.givenUp();
    let count = 0;
    for await (const endpointId of rows.pendingEndpoints()) {
      const log = await logs.of(endpointId);
      await log.refresh();
      const pending = [...log.pending()];
      for (let from = 0; from < pending.length; from += AT_ONCE) {
        await Promise.all(pending.slice(from, from + AT_ONCE).map((delivery) => this.#putBack(log, delivery, givenUp)));
      }
      count += pending.length;
    }
    await logs.forgetEnded();
    return count;
  }

  async #putBack(log: DeliveryLog, delivery: Delivery, givenUp: ReadonlySet<string>): Promise<void> {
    const { jobs, clock } = this.parts;
    await jobs.schedule(log, delivery);
    if (givenUp.has(jobIdOf(delivery)) && delivery.nextAt < clock.now() - OVERDUE) await jobs.revive(delivery);
  }
}
