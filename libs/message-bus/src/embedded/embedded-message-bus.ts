import { type EventStore, EventStoreUnavailable } from '#event-store';
import type { Clock, Randomness } from '#kernel';
import type { Log, Metrics } from '#telemetry';

import { consumedPublication } from '../consumed-publication.js';
import { type ConsumeOptions, type Consumption, type DeadLetter, MessageBus } from '../message-bus.js';
import type { Publication } from '../publication.js';
import { DeadLetterStream } from './dead-letter-stream.js';
import { EmbeddedConsumer } from './embedded-consumer.js';

export interface EmbeddedMessageBusParts {
  readonly eventStore: EventStore;
  readonly publications: readonly Publication[];
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly metrics: Metrics;
}

/**
 * The bus without a server: consumers read the event store itself, each group with a durable offset, and what they are
 * handed is made from the stored events on the way. Nothing is written twice, so nothing can be lost in between.
 * Made for one process for each group: a second one would be handed everything as well.
 */
export class EmbeddedMessageBus extends MessageBus {
  readonly #consumptions = new Set<Promise<unknown>>();

  constructor(private readonly parts: EmbeddedMessageBusParts) {
    super();
  }

  override consume(options: ConsumeOptions): Consumption {
    const { publications, ...parts } = this.parts;
    const publication = consumedPublication(publications, options);
    let failure: unknown;
    const done = new EmbeddedConsumer({ ...parts, publication }, options).run();
    const settled = done.catch((error: unknown) => {
      failure = error;
      parts.log.error('consumer broke down', { component: options.group, error });
    });
    this.#consumptions.add(settled);
    void settled.then(() => this.#consumptions.delete(settled));
    return {
      done,
      check: async () => {
        if (failure !== undefined) throw new EventStoreUnavailable(`the consumer ${options.group} broke down`);
        if (options.signal.aborted) throw new EventStoreUnavailable(`the consumer ${options.group} has stopped`);
        await parts.eventStore.check();
      },
    };
  }

  override deadLetters(topic: string, group: string): Promise<readonly DeadLetter[]> {
    return new DeadLetterStream(this.parts.eventStore, this.parts.randomness, { topic, group }).all();
  }

  override async close(): Promise<void> {
    await Promise.all(this.#consumptions);
  }
}
