import { EventStoreUnavailable } from '#engines/event-store';

import { isPublication, sentChannel } from '../channel.js';
import type { CloudEvent } from '../cloud-event.js';
import { consumedTopic } from '../consumed-topic.js';
import { type ConsumeOptions, type Consumption, type DeadLetter, MessageBus, type Redriven } from '../message-bus.js';
import { DeadLetterStream } from './dead-letter-stream.js';
import { EmbeddedChannels } from './embedded-channels.js';
import { EmbeddedConsumer } from './embedded-consumer.js';
import type { EmbeddedMessageBusParts } from './embedded-message-bus-parts.js';

/**
 * The bus without a server: consumers subscribe to the event store, each group with a durable offset, and the bus makes the messages from the
 * stored events at delivery. There is no second write that could be lost. It serves one process per group: a second process would also get every
 * message. Channels are calls inside the process.
 */
export class EmbeddedMessageBus extends MessageBus {
  readonly #consumptions = new Set<Promise<unknown>>();
  readonly #channels = new EmbeddedChannels();

  constructor(private readonly parts: EmbeddedMessageBusParts) {
    super();
  }

  override consume(options: ConsumeOptions): Consumption {
    const { publications, channels = [], begin = Promise.resolve(), ...parts } = this.parts;
    const publication = consumedTopic([...publications, ...channels], options);
    options.assigned?.({ partitions: 1, owned: [0] });
    if (!isPublication(publication)) return this.#channels.consume(options);
    let failure: unknown;
    const consumer = new EmbeddedConsumer({ ...parts, publication }, options);
    const done = begin.then(() => consumer.run());
    const settled = done.catch((error: unknown) => {
      failure = error;
      parts.log.error('consumer failed', { component: options.group, error });
    });
    this.#consumptions.add(settled);
    void settled.then(() => this.#consumptions.delete(settled));
    return {
      done,
      check: async () => {
        if (failure !== undefined) throw new EventStoreUnavailable(`the consumer ${options.group} failed`);
        if (options.signal.aborted) throw new EventStoreUnavailable(`the consumer ${options.group} has stopped`);
        await parts.eventStore.check();
      },
    };
  }

  override async send(topic: string, messages: readonly CloudEvent[]): Promise<void> {
    sentChannel(this.parts.channels ?? [], topic, messages);
    await this.#channels.send(topic, messages);
  }

  override partitionOf(): number {
    return 0;
  }

  override deadLetters(topic: string, group: string): Promise<readonly DeadLetter[]> {
    return new DeadLetterStream(this.parts.eventStore, this.parts.clock, { topic, group }).all();
  }

  override async redrive(topic: string, group: string): Promise<Redriven> {
    const letters = await new DeadLetterStream(this.parts.eventStore, this.parts.clock, { topic, group }).redrive();
    const unreadable = letters.filter(({ message, source }) => !message && !source).length;
    return { redriven: letters.length - unreadable, unreadable };
  }

  override async close(): Promise<void> {
    await Promise.all([...this.#consumptions, this.#channels.idle()]);
  }
}
