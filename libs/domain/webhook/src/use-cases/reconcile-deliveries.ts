import type { Clock } from '#kernel';

import type { Delivery } from '../domain/delivery.js';
import type { DeliveryLog } from '../delivery/delivery-log.js';
import type { DeliveryLogs } from '../delivery/delivery-logs.js';
import type { EndpointShare } from '../delivery/endpoint-share.js';
import { jobIdOf, type WebhookJobs } from '../delivery/webhook-jobs.js';
import type { DeliveryRows } from '../read-models/delivery-rows.js';

/** How long an attempt is left alone that the queue has given up, or knows as done, in milliseconds: the cause may last, and its outcome may come. */
const OVERDUE = 60_000;
/** Deliveries that are put back at the same time. */
const AT_ONCE = 100;

export interface ReconcileParts {
  readonly rows: DeliveryRows;
  readonly logs: DeliveryLogs;
  readonly jobs: WebhookJobs;
  readonly share: Pick<EndpointShare, 'owns'>;
  readonly clock: Clock;
}

/**
 * Fills the queues of this process with the pending deliveries of its endpoints. An attempt that the queue has lost gets a job again, with the same number.
 * So does an attempt that is done for the queue and pending in the log: another fault has caused this, and otherwise the message would never be sent.
 */
export class ReconcileDeliveries {
  constructor(private readonly parts: ReconcileParts) {}

  /** How many deliveries are pending. Jobs that the queue holds stay as they are. Throws ReadModelsUnavailable. */
  async execute(): Promise<number> {
    const { rows, logs, jobs, share } = this.parts;
    const givenUp = await jobs.givenUp();
    let count = 0;
    for await (const endpointId of rows.pendingEndpoints()) {
      if (!share.owns(endpointId)) continue;
      const log = await logs.of(endpointId);
      await log.refresh();
      const pending = [...log.pending()];
      for (let from = 0; from < pending.length; from += AT_ONCE) {
        const some = pending.slice(from, from + AT_ONCE);
        const forgotten = await jobs.forgetDone(
          log,
          some.filter((delivery) => this.#isOverdue(delivery)),
        );
        if (forgotten.length > 0) await log.refresh(); // most likely another process has recorded the attempt meanwhile
        await Promise.all(some.map(({ deliveryId }) => this.#putBack(log, deliveryId, givenUp)));
      }
      count += pending.length;
    }
    await logs.forgetEnded();
    return count;
  }

  /** Schedules the attempt that the log now names as next: an attempt that was recorded since the round began is not put back. */
  async #putBack(log: DeliveryLog, deliveryId: string, givenUp: ReadonlySet<string>): Promise<void> {
    const { jobs } = this.parts;
    const delivery = log.get(deliveryId);
    if (!delivery) return;
    await jobs.schedule(log, delivery);
    if (givenUp.has(jobIdOf(delivery)) && this.#isOverdue(delivery)) await jobs.revive(log, delivery);
  }

  #isOverdue({ nextAt }: Delivery): boolean {
    return nextAt < this.parts.clock.now() - OVERDUE;
  }
}
