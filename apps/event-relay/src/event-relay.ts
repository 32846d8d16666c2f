import { setTimeout as sleep } from 'node:timers/promises';

import { type RecordedEvent, SubscriptionRefused } from '#event-store';
import { ServiceUnavailable } from '#kernel';
import type { CloudEvent, TopicReach } from '#message-bus';

import { batchesOf } from './batches.js';
import { countLackingEvents } from './count-lacking-events.js';
import type { EventRelayDependencies } from './event-relay-dependencies.js';
import { Lease } from './lease.js';
import { CheckpointWentBack, LeaseHeld, LeaseLost, type RelayState } from './relay.decider.js';
import { COMPONENT, TopicFeed, TopicLost } from './topic-feed.js';

/** All in milliseconds. */
export interface RelayTimes {
  /** How long the lease of a dead holder prevents a standby from taking over. */
  readonly lease: number;
  /** Between two tries to take the lease or to reach an unavailable service. */
  readonly retry: number;
  /** Between two checks that the topic still holds the published events. */
  readonly topicCheck: number;
}

export const RELAY_TIMES: RelayTimes = { lease: 15_000, retry: 1_000, topicCheck: 10_000 };

/** The most events in one publication. */
const BATCH_SIZE = 500;

/**
 * Publishes the store's events to a topic, in order, from a catch-up subscription. The checkpoint moves only after the broker's
 * acknowledgement, so a crash may repeat events but never skips one. One process is active; the others are on standby.
 */
export class EventRelay {
  readonly #lease: Lease;
  /** The time of the oldest event that waits for its acknowledgement, epoch milliseconds. */
  #oldestPending: number | undefined;
  /** Of the topic with the store, beside the relaying. */
  #comparison: Promise<void> | undefined;
  /** Why the relay is not ready. */
  #problem: string | undefined;

  constructor(
    private readonly dependencies: EventRelayDependencies,
    private readonly times: RelayTimes = RELAY_TIMES,
  ) {
    const { eventStore, publication, clock, randomness } = dependencies;
    this.#lease = new Lease(eventStore, clock, randomness, publication.topic, times.lease);
  }

  /** Relays while it holds the lease, waits while another process holds it, and ends with the signal. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#relay(signal);
      } catch (error) {
        await this.#afterFailure(error, signal);
      }
    }
    await this.#lease.release().catch(() => undefined); // the lease also ends at its time
    await this.#comparison;
  }

  /** For the readiness probe: resolves while the relay is active or on standby. Throws ServiceUnavailable with the reason. */
  async check(): Promise<void> {
    if (this.#problem !== undefined) throw new ServiceUnavailable(this.#problem);
    await this.dependencies.eventStore.check();
  }

  async #relay(signal: AbortSignal): Promise<void> {
    const { log, metrics } = this.dependencies;
    const checkpoint = await this.#lease.take();
    const feed = new TopicFeed(this.dependencies, this.#lease, checkpoint, this.times.retry);
    log.info('the relay is active', { component: COMPONENT });
    metrics.relayActive.set(1);
    const stop = new AbortController();
    const ended = AbortSignal.any([signal, stop.signal]);
    const background = Promise.all([
      this.#every(this.times.lease / 3, () => this.#lease.renew(), ended, stop),
      this.#every(this.times.topicCheck, () => feed.ensureTopic(), ended, stop),
    ]);
    try {
      await this.#follow(feed, checkpoint, ended);
    } finally {
      stop.abort();
      await background;
      metrics.relayActive.set(0);
      this.#setPending(undefined);
    }
  }

  async #follow(feed: TopicFeed, { reach }: RelayState, signal: AbortSignal): Promise<void> {
    const { eventStore, publication } = this.dependencies;
    await this.#untilAvailable(() => feed.ensureTopic(), signal);
    this.#comparison = this.#reportLacking(reach, signal);
    const subscription = eventStore.subscribe({ after: feed.position, categories: publication.categories, signal });
    for await (const items of batchesOf(subscription, BATCH_SIZE)) {
      const events = items.filter((item) => item !== 'caught-up');
      if (events.length > 0) await this.#publish(events, feed, signal);
    }
    signal.throwIfAborted();
  }

  async #publish(events: readonly RecordedEvent[], feed: TopicFeed, signal: AbortSignal): Promise<void> {
    const messages = await this.#untilAvailable(() => feed.messagesOf(events), signal);
    this.#setPending(messages);
    const { position } = events.at(-1)!;
    let first = true;
    await this.#untilAvailable(async () => {
      if (!this.#lease.isCurrent) await this.#lease.renew();
      if (!first) await feed.ensureTopic();
      first = false;
      await feed.publish(messages, position);
    }, signal);
    this.#setPending(undefined);
  }

  async #afterFailure(error: unknown, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { log, metrics } = this.dependencies;
    if (error instanceof TopicLost) {
      log.error('the topic was lost and is published again from the beginning', { component: COMPONENT });
      metrics.relayRefills.inc();
      await this.#lease.advance({ position: '0', reach: {} }).catch((failure: unknown) => this.#afterFailure(failure, signal));
      return;
    }
    if (error instanceof SubscriptionRefused && error.reason === 'position') {
      log.error('the store does not know the checkpoint, and all events are published again', { component: COMPONENT });
      metrics.relayRefills.inc();
      await this.#beginAnew().catch((failure: unknown) => this.#afterFailure(failure, signal));
      return;
    }
    if (error instanceof CheckpointWentBack) {
      log.warn('the store was restored from an older copy, and the relay goes on from the checkpoint there', { component: COMPONENT });
      return;
    }
    if (error instanceof LeaseLost) log.warn('another relay has taken over', { component: COMPONENT });
    // The store answered that another process relays, so this one is a healthy standby.
    else if (error instanceof LeaseHeld) this.#problem = undefined;
    else this.#reportProblem(error);
    await this.#pause(signal);
  }

  /** The events go to the topic as it is, which holds some of them already. */
  async #beginAnew(): Promise<void> {
    const { reach } = await this.#lease.take();
    await this.#lease.advance({ position: '0', reach });
  }

  /** Repeats a task beside the relaying. Its failure stops the relaying, except ServiceUnavailable, which the relaying meets itself. */
  async #every(milliseconds: number, task: () => Promise<void>, signal: AbortSignal, stop: AbortController): Promise<void> {
    for (;;) {
      await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await task().catch((error: unknown) => {
        if (!(error instanceof ServiceUnavailable)) stop.abort(error);
      });
    }
  }

  async #untilAvailable<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    for (;;) {
      signal.throwIfAborted();
      try {
        const result = await work();
        this.#problem = undefined;
        return result;
      } catch (error) {
        if (!(error instanceof ServiceUnavailable)) throw error;
        this.#reportProblem(error);
        await this.#pause(signal);
      }
    }
  }

  /**
   * Tells how many events after the checkpoint the topic has and the store lacks. Normally none: what the last holder had published beyond its
   * checkpoint is in the store.
   */
  async #reportLacking(after: TopicReach, signal: AbortSignal): Promise<void> {
    const { log, metrics } = this.dependencies;
    while (!signal.aborted) {
      try {
        const count = await countLackingEvents(this.dependencies, after, signal);
        if (count === 0) return;
        metrics.relayLackingEvents.inc(count);
        log.warn('the store was restored from an older copy and lacks events that are on the topic', { component: COMPONENT, count });
        return;
      } catch (error) {
        if (signal.aborted) return;
        log.warn('the topic could not be compared with the store, which is tried again', { component: COMPONENT, error });
        await sleep(this.times.topicCheck, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  #reportProblem(error: unknown): void {
    this.#problem = error instanceof ServiceUnavailable ? error.reason : 'the relay failed and starts again';
    this.dependencies.log.warn('the relay retries', { component: COMPONENT, reason: this.#problem, error });
    this.#reportLag();
  }

  #setPending(messages: readonly CloudEvent[] | undefined): void {
    this.#oldestPending = messages?.[0] && Date.parse(messages[0].time);
    this.#reportLag();
  }

  #reportLag(): void {
    const { clock, metrics } = this.dependencies;
    metrics.relayLag.set(this.#oldestPending === undefined ? 0 : Math.max(0, clock.now() - this.#oldestPending) / 1000);
  }

  async #pause(signal: AbortSignal): Promise<void> {
    await sleep(this.times.retry, undefined, { signal }).catch(() => undefined);
  }
}
