import { setTimeout as sleep } from 'node:timers/promises';

import type { EventStore, RecordedEvent } from '#event-store';
import { type Clock, type Randomness, ServiceUnavailable } from '#kernel';
import type { CloudEvent, MessagePublisher, Publication } from '#message-bus';
import type { Log, Metrics } from '#telemetry';

import { batchesOf } from './batches.js';
import { Lease } from './lease.js';
import { LeaseHeld, LeaseLost } from './relay.decider.js';
import { COMPONENT, TopicFeed, TopicLost } from './topic-feed.js';

export interface EventRelayParts {
  readonly eventStore: EventStore;
  readonly publication: Publication;
  readonly publisher: MessagePublisher;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** All in milliseconds. */
export interface RelayTimes {
  /** How long a holder that has died keeps others from taking over. */
  readonly lease: number;
  /** Between tries to take the lease, and to reach what is away. */
  readonly retry: number;
  /** Between looks at a topic to which nothing is written. */
  readonly look: number;
}

export const RELAY_TIMES: RelayTimes = { lease: 15_000, retry: 1_000, look: 10_000 };

/** Most events in one publication. */
const BATCH = 500;

/**
 * Store → topic: a catch-up subscription, published in order, the checkpoint moved only after the broker's acknowledgement. Whatever
 * dies whenever, an event may be published twice and is never left out. One process is active; others stand by.
 */
export class EventRelay {
  readonly #lease: Lease;
  /** Of the oldest event in hand, epoch milliseconds. */
  #oldest: number | undefined;
  #trouble: string | undefined;

  constructor(
    private readonly parts: EventRelayParts,
    private readonly times: RelayTimes = RELAY_TIMES,
  ) {
    const { eventStore, publication, clock, randomness } = parts;
    this.#lease = new Lease(eventStore, clock, randomness, publication.topic, times.lease);
  }

  /** Relays while it has the lease, stands by while another one has it, and ends with the signal. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#relay(signal);
      } catch (error) {
        await this.#afterFailure(error, signal);
      }
    }
    await this.#lease.release().catch(() => undefined); // it ends by itself
  }

  /** For the readiness probe: resolves while it relays or stands by. */
  async check(): Promise<void> {
    if (this.#trouble !== undefined) throw new ServiceUnavailable(this.#trouble);
    await this.parts.eventStore.check();
  }

  async #relay(signal: AbortSignal): Promise<void> {
    const { log, metrics } = this.parts;
    const feed = new TopicFeed(this.parts, this.#lease, await this.#lease.take(), this.times.retry);
    log.info('relaying', { component: COMPONENT });
    metrics.relayActive.set(1);
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const chores = Promise.all([
      this.#every(this.times.lease / 3, () => this.#lease.renew(), either, stop),
      this.#every(this.times.look, () => feed.assureTopic(), either, stop),
    ]);
    try {
      await this.#follow(feed, either);
    } finally {
      stop.abort();
      await chores;
      metrics.relayActive.set(0);
      this.#measure(undefined);
    }
  }

  async #follow(feed: TopicFeed, signal: AbortSignal): Promise<void> {
    const { eventStore, publication } = this.parts;
    await this.#untilAvailable(() => feed.assureTopic(), signal);
    const subscription = eventStore.subscribe({ after: feed.position, categories: publication.categories, signal });
    for await (const items of batchesOf(subscription, BATCH)) {
      const events = items.filter((item) => item !== 'caught-up');
      if (events.length > 0) await this.#pass(events, feed, signal);
    }
    signal.throwIfAborted();
  }

  async #pass(events: readonly RecordedEvent[], feed: TopicFeed, signal: AbortSignal): Promise<void> {
    const messages = await this.#untilAvailable(() => feed.messagesOf(events), signal);
    this.#measure(messages);
    const { position } = events.at(-1)!;
    let first = true;
    await this.#untilAvailable(async () => {
      if (!this.#lease.isCurrent) await this.#lease.renew();
      if (!first) await feed.assureTopic();
      first = false;
      await feed.publish(messages, position);
    }, signal);
    this.#measure(undefined);
  }

  async #afterFailure(error: unknown, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { log, metrics } = this.parts;
    if (error instanceof TopicLost) {
      log.error('topic lost: filled again from the begin', { component: COMPONENT });
      metrics.relayRefills.inc();
      await this.#lease.advance({ position: '0', reach: {} }).catch((again: unknown) => this.#afterFailure(again, signal));
      return;
    }
    if (error instanceof LeaseLost) log.warn('another relay has taken over', { component: COMPONENT });
    // Somebody else relays, which the store has just told: whatever was away before, this one stands by.
    else if (error instanceof LeaseHeld) this.#trouble = undefined;
    else this.#wait(error);
    await this.#pause(signal);
  }

  /** A chore beside the work. What it finds out ends the work; that something is away is for the work to find out. */
  async #every(milliseconds: number, chore: () => Promise<void>, signal: AbortSignal, stop: AbortController): Promise<void> {
    for (;;) {
      await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await chore().catch((error: unknown) => {
        if (!(error instanceof ServiceUnavailable)) stop.abort(error);
      });
    }
  }

  async #untilAvailable<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    for (;;) {
      signal.throwIfAborted();
      try {
        const result = await work();
        this.#trouble = undefined;
        return result;
      } catch (error) {
        if (!(error instanceof ServiceUnavailable)) throw error;
        this.#wait(error);
        await this.#pause(signal);
      }
    }
  }

  #wait(error: unknown): void {
    this.#trouble = error instanceof ServiceUnavailable ? error.reason : 'the relay broke down and starts over';
    this.parts.log.warn('relay waits', { component: COMPONENT, reason: this.#trouble, error });
    this.#tellLag();
  }

  #measure(inHand: readonly CloudEvent[] | undefined): void {
    this.#oldest = inHand?.[0] && Date.parse(inHand[0].time);
    this.#tellLag();
  }

  #tellLag(): void {
    const { clock, metrics } = this.parts;
    metrics.relayLag.set(this.#oldest === undefined ? 0 : Math.max(0, clock.now() - this.#oldest) / 1000);
  }

  async #pause(signal: AbortSignal): Promise<void> {
    await sleep(this.times.retry, undefined, { signal }).catch(() => undefined);
  }
}
