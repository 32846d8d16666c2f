import { setTimeout as sleep } from 'node:timers/promises';

import type { RecordedEvent } from '#event-store';
import { type CloudEvent, DeadLetterStream, hasShrunk, reachAfter, UnpublishableEvent } from '#message-bus';

import type { EventRelayParts } from './event-relay.js';
import type { Lease } from './lease.js';
import type { RelayState } from './relay.decider.js';

/** The topic holds less than it held: everything is to be published again. */
export class TopicLost extends Error {
  override readonly name = 'TopicLost';
}

export const COMPONENT = 'event-relay';

/** Puts stored events onto the topic and moves the checkpoint behind them. Everything may be repeated, and throws ServiceUnavailable when it is to be. */
export class TopicFeed {
  readonly #parked: DeadLetterStream;

  constructor(
    private readonly parts: EventRelayParts,
    private readonly lease: Lease,
    private checkpoint: Pick<RelayState, 'position' | 'reach'>,
    /** Between two looks at a topic that seems lost, in milliseconds. */
    private readonly lookAgain: number,
  ) {
    this.#parked = new DeadLetterStream(parts.eventStore, parts.randomness, { topic: parts.publication.topic, group: COMPONENT });
  }

  /** Everything up to here, that one included, is on the topic. */
  get position(): bigint {
    return BigInt(this.checkpoint.position);
  }

  /** Makes the topic when it is gone. Throws {@link TopicLost} when it is not the one that was written to. */
  async assureTopic(): Promise<void> {
    const { publisher, publication } = this.parts;
    await publisher.prepare(publication.topic);
    const isLost = async (): Promise<boolean> => hasShrunk(this.checkpoint.reach, await publisher.reach(publication.topic));
    if (!(await isLost())) return;
    // Right after a broker was lost, another one may not know the newest offsets yet.
    await sleep(this.lookAgain);
    if (await isLost()) throw new TopicLost();
  }

  /** What the events tell. Those of a type that only a newer version knows are kept apart for people: a guess would be worse. */
  async messagesOf(events: readonly RecordedEvent[]): Promise<readonly CloudEvent[]> {
    const messages: CloudEvent[] = [];
    for (const event of events) {
      try {
        const message = await this.parts.publication.message(event);
        if (message) messages.push(message);
        else this.#count('erased', 1);
      } catch (error) {
        if (!(error instanceof UnpublishableEvent)) throw error;
        await this.#park(event, error.message);
      }
    }
    return messages;
  }

  /** Throws {@link TopicLost}, LeaseLost. */
  async publish(messages: readonly CloudEvent[], last: bigint): Promise<void> {
    const { publisher, publication } = this.parts;
    const { reach } = this.checkpoint;
    const start = await publisher.publish(publication.topic, messages);
    if (hasShrunk(reach, start)) throw new TopicLost();
    this.checkpoint = await this.lease.advance({ position: String(last), reach: reachAfter(reach, start) });
    this.#count('published', messages.length);
  }

  async #park({ stream, revision }: RecordedEvent, reason: string): Promise<void> {
    await this.#parked.keep({ reason, at: this.parts.clock.now(), origin: `${stream}, revision ${revision}` });
    this.#count('parked', 1);
    this.parts.log.error('event that cannot be published', { component: COMPONENT, reason });
  }

  #count(outcome: 'published' | 'erased' | 'parked', events: number): void {
    this.parts.metrics.relayedEvents.inc({ outcome }, events);
  }
}
