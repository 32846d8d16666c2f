import { idOf, type RecordedEvent } from '#engines/event-store';
import { type CloudEvent, DeadLetterStream, hasShrunk, reachAfter, type TopicReach, UnpublishableEvent } from '#engines/message-bus';
import { pause } from '#kernel';

import type { EventRelayDependencies } from './event-relay-dependencies.js';
import { publishing } from './publish-spans.js';

/** The topic holds less than was published to it, so its content has to be published again. */
export class TopicLost extends Error {
  override readonly name = 'TopicLost';
}

export const COMPONENT = 'event-relay';

/** Publishes stored events to one topic. Every method may be repeated and throws ServiceUnavailable when it should be. */
export class TopicFeed {
  readonly #deadLetters: DeadLetterStream;

  constructor(
    private readonly dependencies: EventRelayDependencies,
    private known: TopicReach,
    /** Between the two checks that find a topic lost, in milliseconds. */
    private readonly recheckAfter: number,
  ) {
    this.#deadLetters = new DeadLetterStream(dependencies.eventStore, dependencies.clock, {
      topic: dependencies.publication.topic,
      group: COMPONENT,
    });
  }

  /** The lowest end that each partition can have after the events published so far. */
  get reach(): TopicReach {
    return this.known;
  }

  /** The same at regular intervals: all else that {@link ensureTopic} looks at was in order when the term began. */
  async lookAtTopic(): Promise<void> {
    await (this.#isEmpty ? this.ensureTopic() : this.#assertKept());
  }

  /**
   * Creates the topic before anything is published to it. Throws {@link TopicLost} when it holds less than was published, or is gone: then the next
   * term creates it. A publication of this term may still be under way, and would put a later event of a session on the new topic before its first.
   */
  async ensureTopic(): Promise<void> {
    const { publisher, publication } = this.dependencies;
    await this.#assertKept();
    await publisher.prepare(publication.topic, this.#isEmpty ? 'create' : 'refuse');
  }

  /** The messages of the events. An event of a type that only a newer version knows goes to the dead letters: a guess would be worse. */
  messagesOf(events: readonly RecordedEvent[]): Promise<readonly CloudEvent[]> {
    return this.#messagesOf(events, (event, reason) => this.#deadLetter(event, reason));
  }

  /** The same for events that were published before. Adds no dead letters: the events that could not be published are there already. */
  messagesAgain(events: readonly RecordedEvent[]): Promise<readonly CloudEvent[]> {
    return this.#messagesOf(events, async () => undefined);
  }

  /** Throws {@link TopicLost}. */
  async publish(messages: readonly CloudEvent[]): Promise<void> {
    const { publisher, publication } = this.dependencies;
    const before = this.known; // another lane may publish meanwhile, and be answered first
    const start = await publishing(messages, publication.topic, () => publisher.publish(publication.topic, messages));
    if (hasShrunk(before, start)) throw new TopicLost();
    this.known = reachAfter(this.known, start);
    this.#count('published', messages.length);
  }

  /** Whether nothing was published. */
  get #isEmpty(): boolean {
    return Object.keys(this.known).length === 0;
  }

  async #assertKept(): Promise<void> {
    const { publisher, publication } = this.dependencies;
    const isLost = async (): Promise<boolean> => hasShrunk(this.known, await publisher.reach(publication.topic));
    if (!(await isLost())) return;
    // After a failover the new leader of a partition may not know the newest offsets yet.
    await pause(this.recheckAfter);
    if (await isLost()) throw new TopicLost();
  }

  async #messagesOf(
    events: readonly RecordedEvent[],
    unpublishable: (event: RecordedEvent, reason: string) => Promise<void>,
  ): Promise<readonly CloudEvent[]> {
    const messages: CloudEvent[] = [];
    for (const event of events) {
      try {
        messages.push(await this.dependencies.publication.message(event));
      } catch (error) {
        if (!(error instanceof UnpublishableEvent)) throw error;
        await unpublishable(event, error.message);
      }
    }
    return messages;
  }

  async #deadLetter({ stream, revision }: RecordedEvent, reason: string): Promise<void> {
    await this.#deadLetters.keep({
      reason,
      at: this.dependencies.clock.now(),
      origin: `${stream}, revision ${revision}`,
      source: { subject: idOf(stream), esrevision: revision },
    });
    this.#count('parked', 1);
    this.dependencies.log.error('an event cannot be published and was put to the dead letters', { component: COMPONENT, reason });
  }

  #count(outcome: 'published' | 'parked', events: number): void {
    this.dependencies.metrics.relayedEvents.inc({ outcome }, events);
  }
}
