import { Projection } from '#event-store';
import type { EndpointId } from '#kernel';
import type { Platform } from '#platform';
import type { ReconcileDeliveries } from '#webhook';

/** Milliseconds. */
const INTERVAL = 30_000;

type Parts = Pick<Platform, 'eventStore' | 'log' | 'stopping'>;

/** Fills the queue from the delivery logs: at start, and every 30 seconds. */
export class Reconciliation {
  readonly #endpointIds = new Set<EndpointId>();
  readonly #endpoints: Projection;
  #underWay = false;

  constructor(
    private readonly parts: Parts,
    private readonly reconcile: ReconcileDeliveries,
  ) {
    this.#endpoints = new Projection(
      parts.eventStore,
      ['client'],
      ({ type, data }) => {
        if (type === 'WebhookEndpointAdded') this.#endpointIds.add(data.endpointId as EndpointId);
      },
      parts.stopping,
    );
  }

  /** Resolves after the first round. */
  async start(): Promise<void> {
    await this.#endpoints.ready;
    await this.once();
    const timer = setInterval(() => void this.once(), INTERVAL).unref();
    this.parts.stopping.addEventListener('abort', () => clearInterval(timer), { once: true });
  }

  /** Nothing happens while another round is under way. */
  async once(): Promise<void> {
    if (this.#underWay) return;
    this.#underWay = true;
    try {
      await this.reconcile.execute(this.#endpointIds);
    } catch (error) {
      if (!this.parts.stopping.aborted) this.parts.log.warn('webhooks were not reconciled', { component: 'webhook-dispatcher', error });
    } finally {
      this.#underWay = false;
    }
  }
}
