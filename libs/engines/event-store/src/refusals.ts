import { EventStoreUnavailable, SubscriptionRefused } from './event-store.js';

/** The subscriptions that have stopped until an operator acts. */
export class Refusals {
  /** By their categories. */
  readonly #refusals = new Map<string, SubscriptionRefused>();

  constructor(
    /** Called with a line for the log, which names the remedy. */
    private readonly alarm: (trouble: string) => void,
  ) {}

  /**
   * From now on the store is not ready: a service without its subscription does not do its work. It is ready again when the rights have been
   * given. After a position that the store does not know, it is ready again when a subscription to the same categories has begun anew.
   */
  refuse(categories: readonly string[], reason: SubscriptionRefused['reason']): SubscriptionRefused {
    const refusal = new SubscriptionRefused(categories, reason);
    this.#refusals.set(categories.join(), refusal);
    this.alarm(refusal.message);
    return refusal;
  }

  /** The store has taken a subscription to the categories. */
  taken(categories: readonly string[]): void {
    this.#refusals.delete(categories.join());
    for (const [refused, { reason }] of this.#refusals) if (reason === 'rights') this.#refusals.delete(refused);
  }

  /** Throws EventStoreUnavailable while there is one. */
  check(): void {
    for (const { message } of this.#refusals.values()) throw new EventStoreUnavailable(message);
  }
}
