import { Projection } from '#event-store';
import type { EndpointId } from '#kernel';
import type { Platform } from '#platform';
import type { ReconcileDeliveries } from '#webhook';

/** Milliseconds. */
const EVERY = 30_000;

type Parts = Pick<Platform, 'eventStore' | 'log' | 'stopping'>;

/** Puts back what the queue lost: at start, and every 30 seconds. */
export class Reconciliation {
  readonly #endpointIds = new Set<EndpointId>();
  readonly #known: Projection;
  #underWay = false;

  constructor(
    private readonly parts: Parts,
    private readonly reconcile: ReconcileDeliveries,
  ) {
    this.#known = new Projection(
      parts.eventStore,
      ['client'],
      ({ type, data }) => {
        if (type === 'WebhookEndpointAdded') this.#endpointIds.add(data.endpointId as EndpointId);
      },
      parts.stopping,
    );
  }

  /** Resolves after the first time. */
  async start(): Promise<void> {
    await this.#known.ready;
    await this.once();
    const timer = setInterval(() => void this.once(), EVERY).unref();
    this.parts.stopping.addEventListener('abort', () => clearInterval(timer), { once: true });
  }

  /** Nothing while the one before is under way. */
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
