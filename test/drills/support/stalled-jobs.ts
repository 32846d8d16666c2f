import { QueueEvents } from 'bullmq';

import { WEBHOOK_QUEUES } from './webhook-queue.js';

/** Records jobs whose worker ended before they were done. */
export class StalledJobs {
  readonly found: string[] = [];
  readonly #events: QueueEvents[];

  private constructor(url: string) {
    this.#events = WEBHOOK_QUEUES.map((queue) => {
      const events = new QueueEvents(queue, { connection: { url, maxRetriesPerRequest: null }, prefix: `{countersign-${queue}}` });
      events.on('stalled', ({ jobId }) => void this.found.push(`${queue} ${jobId}`));
      events.on('error', () => undefined);
      return events;
    });
  }

  /** From now on. */
  static async watch(url: string): Promise<StalledJobs> {
    const stalled = new StalledJobs(url);
    await Promise.all(stalled.#events.map((events) => events.waitUntilReady()));
    return stalled;
  }

  async close(): Promise<void> {
    await Promise.all(this.#events.splice(0).map((events) => events.close()));
  }
}
