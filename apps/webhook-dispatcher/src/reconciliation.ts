import type { Platform } from '#platform';
import type { ReconcileDeliveries } from '#webhook';

/** Milliseconds. */
const INTERVAL = 30_000;

type Parts = Pick<Platform, 'log' | 'stopping'>;

/** Fills the queue with the pending deliveries: at start, and every 30 seconds. */
export class Reconciliation {
  #underWay = false;

  constructor(
    private readonly parts: Parts,
    private readonly reconcile: ReconcileDeliveries,
  ) {}

  /** Begins the first round. No request needs it, so the service is ready without it. */
  start(): void {
    void this.once();
    const timer = setInterval(() => void this.once(), INTERVAL).unref();
    this.parts.stopping.addEventListener('abort', () => clearInterval(timer), { once: true });
  }

  /** Nothing happens while another round is under way. */
  async once(): Promise<void> {
    if (this.#underWay) return;
    this.#underWay = true;
    try {
      await this.reconcile.execute();
    } catch (error) {
      if (!this.parts.stopping.aborted) this.parts.log.warn('webhooks were not reconciled', { component: 'webhook-dispatcher', error });
    } finally {
      this.#underWay = false;
    }
  }
}
