import type { Clock, EndpointId } from '#kernel';

import type { Delivery } from '../domain/delivery.js';
import { LOG_RETENTION } from '../domain/retention.js';
import type { DeliveryLog, DeliveryLogs } from '../delivery/delivery-log.js';
import { jobIdOf, type WebhookJobs } from '../delivery/webhook-jobs.js';

/** How long an attempt that the queue has given up is left alone, in milliseconds: its cause may last. */
const OVERDUE = 60_000;
/** Deliveries that are put back at the same time. */
const AT_ONCE = 100;

/** Fills the queue from the delivery logs: an attempt that the queue lost is put back, with its number. */
export class ReconcileDeliveries {
  constructor(
    private readonly logs: DeliveryLogs,
    private readonly jobs: WebhookJobs,
    private readonly clock: Clock,
  ) {}

  /** How many deliveries are pending. Jobs that the queue holds stay as they are. */
  async execute(endpointIds: Iterable<EndpointId> | AsyncIterable<EndpointId>): Promise<number> {
    const givenUp = await this.jobs.givenUp();
    let count = 0;
    for await (const endpointId of endpointIds) {
      const log = await this.logs.of(endpointId);
      await log.refresh();
      log.forgetBefore(this.clock.now() - LOG_RETENTION);
      const pending = [...log.pending()];
      for (let from = 0; from < pending.length; from += AT_ONCE) {
        await Promise.all(pending.slice(from, from + AT_ONCE).map((delivery) => this.#putBack(log, delivery, givenUp)));
      }
      count += pending.length;
    }
    return count;
  }

  async #putBack(log: DeliveryLog, delivery: Delivery, givenUp: ReadonlySet<string>): Promise<void> {
    await this.jobs.schedule(log, delivery);
    if (givenUp.has(jobIdOf(delivery)) && delivery.nextAt < this.clock.now() - OVERDUE) await this.jobs.revive(delivery);
  }
}
