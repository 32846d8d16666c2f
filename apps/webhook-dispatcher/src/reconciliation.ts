import type { Platform } from '#service/platform';
import type { ReconcileDeliveries } from '#domain/webhook';

/** Milliseconds. */
const INTERVAL = 30_000;

type Parts = Pick<Platform, 'log' | 'stopping'>;

/** Fills the queues with the pending deliveries: whenever this process gets a share of the endpoints, and every 30 seconds. */
export class Reconciliation {
  #underWay: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(
    private readonly parts: Parts,
    private readonly reconcile: ReconcileDeliveries,
  ) {}

  /** Begins the rounds. No request needs them, so the service is ready without. */
  start(): void {
    const timer = setInterval(() => {
      if (!this.#underWay) void this.again();
    }, INTERVAL).unref();
    this.parts.stopping.addEventListener('abort', () => clearInterval(timer), { once: true });
  }

  /** Starts another round after the running one, which may have passed endpoints that this process got since. All calls before it begins share that round. */
  again(): Promise<void> {
    this.#next ??= Promise.resolve(this.#underWay).then(() => {
      this.#next = undefined;
      this.#underWay = this.#round();
      return this.#underWay;
    });
    return this.#next;
  }

  async #round(): Promise<void> {
    try {
      await this.reconcile.execute();
    } catch (error) {
      if (!this.parts.stopping.aborted) this.parts.log.warn('webhooks were not reconciled', { component: 'webhook-dispatcher', error });
    } finally {
      this.#underWay = undefined;
    }
  }
}
