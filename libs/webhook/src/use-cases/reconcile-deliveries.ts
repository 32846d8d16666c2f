import type { Clock, EndpointId } from '#kernel';

import type { DeliveryLog, DeliveryLogs } from '../delivery/delivery-log.js';
import type { WebhookJobs } from '../delivery/webhook-jobs.js';

/** What is overdue for so long was perhaps given up by the queue. Milliseconds. */
const OVERDUE = 60_000;
/** The log's retention. Milliseconds. */
const FORGOTTEN_AFTER = 30 * 86_400_000;

/** Brings the queue into agreement with the delivery logs: whatever the queue lost is put back, with its attempts counted. */
export class ReconcileDeliveries {
  constructor(
    private readonly logs: DeliveryLogs,
    private readonly jobs: WebhookJobs,
    private readonly clock: Clock,
  ) {}

  /** How many deliveries are under way. What the queue holds is not disturbed. */
  async execute(endpointIds: Iterable<EndpointId>): Promise<number> {
    let count = 0;
    for (const endpointId of endpointIds) {
      const log = await this.logs.of(endpointId);
      await log.refresh();
      log.forgetBefore(this.clock.now() - FORGOTTEN_AFTER);
      count += await this.#putBack(log);
    }
    return count;
  }

  async #putBack(log: DeliveryLog): Promise<number> {
    const pending = [...log.pending()];
    for (const delivery of pending) {
      await this.jobs.schedule(log, delivery);
      if (delivery.nextAt < this.clock.now() - OVERDUE) await this.jobs.revive(delivery);
    }
    return pending.length;
  }
}
