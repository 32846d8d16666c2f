import type { Clock, EndpointId } from '#kernel';

import type { Delivery } from '../domain/delivery.js';
import type { DeliveryLog, DeliveryLogs } from '../delivery/delivery-log.js';
import { jobIdOf, type WebhookJobs } from '../delivery/webhook-jobs.js';

/** So long a delivery that the queue has given up is left alone, in milliseconds: what went wrong may go on. */
const OVERDUE = 60_000;
/** The log's retention. Milliseconds. */
const FORGOTTEN_AFTER = 30 * 86_400_000;
/** So many are put back side by side. */
const AT_ONCE = 100;

/** Brings the queue into agreement with the delivery logs: whatever the queue lost is put back, with its attempts counted. */
export class ReconcileDeliveries {
  constructor(
    private readonly logs: DeliveryLogs,
    private readonly jobs: WebhookJobs,
    private readonly clock: Clock,
  ) {}

  /** How many deliveries are under way. What the queue holds is not disturbed. */
  async execute(endpointIds: Iterable<EndpointId>): Promise<number> {
    const givenUp = await this.jobs.givenUp();
    let count = 0;
    for (const endpointId of endpointIds) {
      const log = await this.logs.of(endpointId);
      await log.refresh();
      log.forgetBefore(this.clock.now() - FORGOTTEN_AFTER);
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
