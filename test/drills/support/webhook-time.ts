import { pause, type Service } from '../../support/index.js';
import type { Endpoint } from './webhook-endpoint.js';

/** Longer than the dispatcher takes to look at its queue again. Milliseconds. */
const CHECK_INTERVAL = 300;
/** The longest pause of an endpoint that fails again and again. Seconds. */
const LONGEST_PAUSE = 30;

/** Moves the clock of a service in its sandbox to when webhooks are due: three days of attempts in a minute. */
export class WebhookTime {
  #ahead = 0;

  constructor(private readonly service: Service) {}

  /** By the service's clock, epoch seconds. */
  now(): number {
    return Math.floor(Date.now() / 1000) + this.#ahead;
  }

  async pass(seconds: number): Promise<void> {
    const answer = await this.service.send({ method: 'POST', path: '/sandbox/v1/clock', json: { advance_seconds: seconds } });
    if (answer.status !== 200) throw new Error(`the clock does not move: ${answer.status} ${answer.text}`);
    this.#ahead += seconds;
  }

  /** Resolves when nothing is pending to these endpoints, or after so many milliseconds of the real clock. Moves no time while a receiver keeps the service waiting. */
  async untilAllEnded(endpoints: readonly Endpoint[], timeLimit: number): Promise<void> {
    let overdue = 0;
    for (const giveUpAt = Date.now() + timeLimit; Date.now() < giveUpAt; await pause(CHECK_INTERVAL)) {
      const deliveries = (await Promise.all(endpoints.map((endpoint) => endpoint.deliveries()))).flat();
      const due = deliveries.flatMap(({ state, nextAttemptAt }) => (state === 'pending' && nextAttemptAt !== undefined ? [nextAttemptAt] : []));
      if (due.length === 0) return;
      if (endpoints.some(({ receiver }) => receiver.busy)) continue;
      const wait = Math.min(...due) - this.now();
      overdue = wait >= 0 ? 0 : overdue + 1;
      // A delivery that is overdue twice waits for an endpoint that the service has paused.
      if (wait >= 0) await this.pass(wait + 1);
      else if (overdue > 1) await this.pass(LONGEST_PAUSE);
    }
  }
}
