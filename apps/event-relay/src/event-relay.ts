import { SubscriptionRefused } from '#engines/event-store';
import { retry, ServiceUnavailable, untilAborted } from '#kernel';

import type { EventRelayDependencies } from './event-relay-dependencies.js';
import { Lease } from './lease.js';
import { RelayLag } from './relay-lag.js';
import { RelayTerm } from './relay-term.js';
import type { RelayTimes } from './relay-times.js';
import { CheckpointWentBack, LeaseHeld, LeaseLost, type Progress } from './relay.decider.js';
import { ServiceRetries } from './service-retries.js';
import { COMPONENT, TopicLost } from './topic-feed.js';

/**
 * Publishes the store's events to a topic, in order, from a catch-up subscription. The checkpoint moves only after the broker's
 * acknowledgement, so a crash may repeat events but never skips one. One process is active; the others are on standby.
 */
export class EventRelay {
  readonly #lease: Lease;
  readonly #lag: RelayLag;
  readonly #retries: ServiceRetries;
  /** The stored checkpoint at which the store refused a position. */
  #refusedAt: string | undefined;
  /** Why the relay is not ready. */
  #problem: string | undefined;

  constructor(
    private readonly dependencies: EventRelayDependencies,
    private readonly times: RelayTimes,
  ) {
    const { unitOfWork, publication, clock, randomness } = dependencies;
    this.#lease = new Lease(unitOfWork, clock, randomness, publication.topic, times);
    this.#lag = new RelayLag(clock, dependencies.metrics);
    this.#retries = new ServiceRetries(times.retry, (error) => (error ? this.#reportProblem(error) : (this.#problem = undefined)));
  }

  /** Relays while it holds the lease, waits while another process holds it, and ends with the signal. */
  async run(signal: AbortSignal): Promise<void> {
    const relay = async (): Promise<void> => {
      while (!signal.aborted) await this.#relay(signal);
    };
    const relaying = retry(relay, {
      waits: (_, error) => (error instanceof CheckpointWentBack ? 0 : this.times.retry),
      onRetry: (error) => this.#afterFailure(error),
      signal,
    });
    await untilAborted(signal, relaying);
  }

  /** For the readiness probe: resolves while the relay is active or on standby. Throws ServiceUnavailable with the reason. */
  async check(): Promise<void> {
    if (this.#problem !== undefined) throw new ServiceUnavailable(this.#problem);
    await this.dependencies.eventStore.check();
  }

  async #relay(signal: AbortSignal): Promise<void> {
    const { log, metrics } = this.dependencies;
    await this.#lease.take();
    log.info('the relay is active', { component: COMPONENT });
    metrics.relayActive.set(1);
    const term = new RelayTerm({ dependencies: this.dependencies, lease: this.#lease, lag: this.#lag, retries: this.#retries }, this.times);
    try {
      await term.run(signal);
    } catch (error) {
      // When the append fails, the lease ends at its time, and the successor repeats what was published since the last checkpoint.
      if (signal.aborted) await this.#lease.release(term.progress).catch(() => undefined);
      else await this.#afterTerm(error, term.progress);
    } finally {
      metrics.relayActive.set(0);
      this.#lag.clear();
    }
  }

  /** Stores where the next term begins. Throws errors that it cannot mend. */
  async #afterTerm(error: unknown, progress: Progress): Promise<void> {
    const { log, metrics } = this.dependencies;
    if (error instanceof TopicLost) {
      log.error('the topic was lost and is filled again', { component: COMPONENT });
      metrics.relayRefills.inc();
      return this.#lease.refillTopic(progress.position);
    }
    if (error instanceof SubscriptionRefused && error.reason === 'position') return this.#afterUnknownPosition(progress);
    if (!(error instanceof LeaseLost || error instanceof CheckpointWentBack)) await this.#lease.checkpoint(progress).catch(() => undefined);
    throw error;
  }

  /** The store was restored from another copy. It may still know the stored checkpoint, which may lie before the position of this process. */
  async #afterUnknownPosition(progress: Progress): Promise<void> {
    const { log, metrics } = this.dependencies;
    const { position } = this.#lease.state;
    if (position !== progress.position && position !== this.#refusedAt) {
      this.#refusedAt = position;
      return;
    }
    log.error('the store does not know the checkpoint, and all events are published again', { component: COMPONENT });
    metrics.relayRefills.inc();
    await this.#lease.beginAnew();
  }

  #afterFailure(error: unknown): void {
    const { log } = this.dependencies;
    if (error instanceof CheckpointWentBack) {
      log.warn('the store was restored from an older copy, and the relay goes on from the checkpoint there', { component: COMPONENT });
      return;
    }
    if (error instanceof LeaseLost) log.warn('another relay has taken over', { component: COMPONENT });
    // The store answered that another process relays, so this one is a healthy standby.
    else if (error instanceof LeaseHeld) this.#problem = undefined;
    else this.#reportProblem(error);
  }

  #reportProblem(error: unknown): void {
    this.#problem = error instanceof ServiceUnavailable ? error.reason : 'the relay failed and starts again';
    this.dependencies.log.warn('the relay retries', { component: COMPONENT, reason: this.#problem, error });
    this.#lag.report();
  }
}
