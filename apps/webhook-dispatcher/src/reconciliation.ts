import type { Platform } from '#platform';
import { clientsProjection, webhookEndpointIds } from '#relying-party';
import type { ReconcileDeliveries } from '#webhook';

/** Milliseconds. */
const INTERVAL = 30_000;

type Parts = Pick<Platform, 'projections' | 'log' | 'stopping'>;

/** Fills the queue from the delivery logs: at start, and every 30 seconds. */
export class Reconciliation {
  readonly #clients;
  #underWay = false;

  constructor(
    private readonly parts: Parts,
    private readonly reconcile: ReconcileDeliveries,
  ) {
    this.#clients = parts.projections.follow(clientsProjection);
  }

  /** Resolves after the first round. */
  async start(): Promise<void> {
    await this.once();
    const timer = setInterval(() => void this.once(), INTERVAL).unref();
    this.parts.stopping.addEventListener('abort', () => clearInterval(timer), { once: true });
  }

  /** Nothing happens while another round is under way. */
  async once(): Promise<void> {
    if (this.#underWay) return;
    this.#underWay = true;
    try {
      await this.reconcile.execute(webhookEndpointIds(this.#clients));
    } catch (error) {
      if (!this.parts.stopping.aborted) this.parts.log.warn('webhooks were not reconciled', { component: 'webhook-dispatcher', error });
    } finally {
      this.#underWay = false;
    }
  }
}
