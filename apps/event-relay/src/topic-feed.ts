import { setTimeout as sleep } from 'node:timers/promises';

import { idOf, type RecordedEvent } from '#event-store';
import { type CloudEvent, DeadLetterStream, hasShrunk, reachAfter, UnpublishableEvent } from '#message-bus';

import type { EventRelayDependencies } from './event-relay-dependencies.js';
import type { Lease } from './lease.js';
import type { RelayState } from './relay.decider.js';

/** The topic holds less than was published to it, so everything has to be published again. */
export class TopicLost extends Error {
  override readonly name = 'TopicLost';
}

export const COMPONENT = 'event-relay';

/** Publishes stored events and moves the checkpoint after them. Every method may be repeated and throws ServiceUnavailable when it should be. */
export class TopicFeed {
  readonly #deadLetters: DeadLetterStream;

  constructor(
    private readonly dependencies: EventRelayDependencies,
    private readonly lease: Lease,
    private checkpoint: Pick<RelayState, 'position' | 'reach'>,
    /** Between the two checks that find a topic lost, in milliseconds. */
    private readonly recheckAfter: number,
  ) {
    this.#deadLetters = new DeadLetterStream(dependencies.eventStore, dependencies.clock, {
      topic: dependencies.publication.topic,
      group: COMPONENT,
    });
  }

  /** Everything up to and including this position is on the topic. */
  get position(): bigint {
    return BigInt(this.checkpoint.position);
  }

  /** Creates the topic if it is missing. Throws {@link TopicLost} when it holds less than was published. */
  async ensureTopic(): Promise<void> {
    const { publisher, publication } = this.dependencies;
    await publisher.prepare(publication.topic);
    const isLost = async (): Promise<boolean> => hasShrunk(this.checkpoint.reach, await publisher.reach(publication.topic));
    if (!(await isLost())) return;
    // After a failover the new leader of a partition may not know the newest offsets yet.
    await sleep(this.recheckAfter);
    if (await isLost()) throw new TopicLost();
  }

  /** The messages of the events. An event of a type that only a newer version knows goes to the dead letters: a guess would be worse. */
  async messagesOf(events: readonly RecordedEvent[]): Promise<readonly CloudEvent[]> {
    const messages: CloudEvent[] = [];
    for (const event of events) {
      try {
        const message = await this.dependencies.publication.message(event);
        if (message) messages.push(message);
        else this.#count('erased', 1);
      } catch (error) {
        if (!(error instanceof UnpublishableEvent)) throw error;
        await this.#deadLetter(event, error.message);
      }
    }
    return messages;
  }

  /** Throws {@link TopicLost}, LeaseLost, CheckpointWentBack. */
  async publish(messages: readonly CloudEvent[], last: bigint): Promise<void> {
    const { publisher, publication } = this.dependencies;
    const { reach } = this.checkpoint;
    const start = await publisher.publish(publication.topic, messages);
    if (hasShrunk(reach, start)) throw new TopicLost();
    this.checkpoint = await this.lease.advance({ position: String(last), reach: reachAfter(reach, start) });
    this.#count('published', messages.length);
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

  #count(outcome: 'published' | 'erased' | 'parked', events: number): void {
    this.dependencies.metrics.relayedEvents.inc({ outcome }, events);
  }
}
