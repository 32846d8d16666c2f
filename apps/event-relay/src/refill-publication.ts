import type { RecordedEvent } from '#engines/event-store';

import { batchesOf } from './batches.js';
import { BATCH_SIZE, type PublicationParts, type LivePublication } from './live-publication.js';
import type { Refill } from './relay.decider.js';
import type { SessionsOnTopic } from './sessions-on-topic.js';

/** While the live events lag more than this, in seconds, the refill waits. */
const LIVE_LAG = 1;

/** Publishes the content of a lost topic again, up to where the live events begin. It goes between their batches, and waits while they lag. */
export class RefillPublication {
  #position: bigint;
  readonly #until: bigint;
  #done = false;

  constructor(
    private readonly parts: PublicationParts,
    private readonly live: LivePublication,
    private readonly refill: Refill,
    private readonly onTopic: SessionsOnTopic,
  ) {
    this.#position = BigInt(refill.position);
    this.#until = BigInt(refill.until);
  }

  /** The part that is left; undefined when everything is on the topic. */
  get left(): Refill | undefined {
    return this.#done ? undefined : { ...this.refill, position: String(this.#position) };
  }

  /** Resolves when everything is on the topic. Throws the reason of the signal, TopicLost, SubscriptionRefused. */
  async run(signal: AbortSignal): Promise<void> {
    const { dependencies } = this.parts;
    const { eventStore, publication, metrics } = dependencies;
    const ending = new AbortController();
    const subscription = eventStore.subscribe({
      after: this.#position,
      categories: publication.categories,
      signal: AbortSignal.any([signal, ending.signal]),
    });
    try {
      for await (const items of batchesOf(subscription, BATCH_SIZE)) {
        const events = items.filter((item) => item !== 'caught-up');
        const due = events.filter(({ position }) => position <= this.#until);
        if (due.length > 0) await this.#publish(due, signal);
        if (due.length < events.length || due.at(-1)?.position === this.#until || items.includes('caught-up')) break;
      }
      signal.throwIfAborted();
      this.#done = true;
    } finally {
      ending.abort();
      metrics.relayRefillLeft.set(0);
    }
  }

  async #publish(events: readonly RecordedEvent[], signal: AbortSignal): Promise<void> {
    const { feed, retries, dependencies } = this.parts;
    const messages = await retries.untilAvailable(() => feed.messagesAgain(events), signal);
    await this.#afterLive(signal);
    const missing = messages.filter((message) => !this.onTopic.has(message));
    if (missing.length > 0) {
      let first = true;
      await retries.untilAvailable(async () => {
        if (!first) await feed.ensureTopic();
        first = false;
        await feed.publish(missing);
      }, signal);
      dependencies.metrics.relayRefillLeft.set(Math.max(0, this.refill.at - Date.parse(missing.at(-1)!.time)) / 1000);
    }
    this.#position = events.at(-1)!.position;
  }

  async #afterLive(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.live.idle;
      signal.throwIfAborted();
      if (this.parts.lag.seconds <= LIVE_LAG) return;
      await this.parts.retries.pause(signal);
    }
  }
}
