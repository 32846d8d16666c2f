import { appendFact, type EventStore, type StreamName, streamName } from '#event-store';
import type { Clock, DomainEvent, JsonObject } from '#kernel';

import type { CloudEvent } from '../cloud-event.js';
import type { DeadLetter } from '../message-bus.js';

/** Thirty days, in seconds. */
const RETENTION = 2_592_000;

/** A letter as it is stored. */
type MessageGivenUp = DomainEvent<'MessageGivenUp', Omit<DeadLetter, 'message'> & { readonly message?: JsonObject }>;

/** The dead letters of a consumer group, in a stream of their own. */
export class DeadLetterStream {
  readonly #stream: StreamName;
  #retention: Promise<void> | undefined;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    { topic, group }: { topic: string; group: string },
  ) {
    this.#stream = streamName('deadletter', `${topic}.${group}`);
  }

  async keep({ message, ...letter }: DeadLetter): Promise<void> {
    this.#retention ??= this.store.setRetention(this.#stream, { maxAge: RETENTION });
    await this.#retention.catch((error: unknown) => {
      this.#retention = undefined;
      throw error;
    });
    const data = { ...letter, ...(message && { message: message as unknown as JsonObject }) };
    await appendFact({ store: this.store, clock: this.clock }, this.#stream, { type: 'MessageGivenUp', data });
  }

  async all(): Promise<readonly DeadLetter[]> {
    return (await this.store.read<MessageGivenUp>(this.#stream)).map(asLetter);
  }
}

const asLetter = ({ data }: MessageGivenUp): DeadLetter => {
  const { reason, at, origin, message } = data;
  return { reason, at, origin, ...(message && { message: message as unknown as CloudEvent }) };
};
