import { categoryOf, type RecordedEvent } from '#engines/event-store';
import type { CloudEvent } from '#engines/message-bus';
import { pause } from '#kernel';
import { RELAY_LEASES } from '#service/platform';

import { batchesOf } from './batches.js';
import type { EventRelayDependencies } from './event-relay-dependencies.js';
import type { Lease } from './lease.js';
import type { RelayLag } from './relay-lag.js';
import type { ServiceRetries } from './service-retries.js';
import type { SessionsOnTopic } from './sessions-on-topic.js';
import type { TopicFeed } from './topic-feed.js';

/** The most events in one publication. */
export const BATCH_SIZE = 500;

export interface PublicationParts {
  readonly dependencies: EventRelayDependencies;
  readonly lease: Lease;
  readonly feed: TopicFeed;
  readonly lag: RelayLag;
  readonly retries: ServiceRetries;
  /** See RelayTimes. */
  readonly pace: number;
  /** Renews the lease. Throws LeaseLost, CheckpointWentBack. */
  readonly renew: () => Promise<void>;
}

/** Publishes new events in the order of the store. */
export class LivePublication {
  #position: bigint;
  #underWay: Promise<void> = Promise.resolve();

  constructor(
    private readonly parts: PublicationParts,
    position: string,
    /** While a lost topic is filled again. */
    private filling: SessionsOnTopic | undefined,
  ) {
    this.#position = BigInt(position);
  }

  /** Everything up to and including this position is on the topic, except what a refill still has to bring. */
  get position(): string {
    return String(this.#position);
  }

  /** Resolves when no batch is being published. */
  get idle(): Promise<void> {
    return this.#underWay;
  }

  /** The topic has everything again. */
  endRefill(): void {
    this.filling = undefined;
  }

  /** Ends with the signal, whose reason it throws. Throws TopicLost, LeaseLost, SubscriptionRefused. */
  async run(signal: AbortSignal): Promise<void> {
    const { eventStore, publication, clock } = this.parts.dependencies;
    // The relay's own checkpoints are delivered too: they show the lag, and advance the checkpoint past the events of other categories.
    const categories = [...publication.categories, RELAY_LEASES.category];
    const subscription = eventStore.subscribe({ after: this.#position, categories, signal });
    for await (const items of batchesOf(subscription, BATCH_SIZE)) {
      const began = clock.monotonic();
      const events = items.filter((item) => item !== 'caught-up');
      if (events.length === 0) continue;
      const published = this.#publish(events, signal);
      this.#underWay = published.catch(() => undefined);
      await published;
      if (events.length < BATCH_SIZE && events.some(isPublished)) await this.#rest(began, signal);
    }
    signal.throwIfAborted();
  }

  async #rest(began: number, signal: AbortSignal): Promise<void> {
    const { dependencies, pace } = this.parts;
    const left = began + pace - dependencies.clock.monotonic();
    if (left > 0) await pause(left, signal);
  }

  async #publish(events: readonly RecordedEvent[], signal: AbortSignal): Promise<void> {
    const { feed, lag, lease, retries } = this.parts;
    const { filling } = this;
    const messages = await retries.untilAvailable(async () => {
      const mapped = await feed.messagesOf(events.filter(isPublished));
      return filling ? filling.complete(mapped) : mapped;
    }, signal);
    if (messages.length > 0) {
      lag.begin(timeOf(messages[0]!));
      await this.#send(messages, signal);
      lag.end(timeOf(messages.at(-1)!));
      filling?.acknowledged(messages);
    }
    this.#position = events.at(-1)!.position;
    const checkpoint = events.findLast(({ stream }) => stream === lease.stream);
    if (checkpoint) lag.delivered(checkpoint.revision);
  }

  async #send(messages: readonly CloudEvent[], signal: AbortSignal): Promise<void> {
    const { feed, lease, renew, retries } = this.parts;
    let first = true;
    await retries.untilAvailable(async () => {
      if (!lease.isCurrent) await renew();
      if (!first) await feed.ensureTopic();
      first = false;
      await feed.publish(messages);
    }, signal);
  }
}

const isPublished = ({ stream }: RecordedEvent): boolean => categoryOf(stream) !== RELAY_LEASES.category;

const timeOf = ({ time }: CloudEvent): number => Date.parse(time);
