import { appendFact, type EventStore, type RecordedEvent, type StreamName, streamName } from '#event-store';
import type { JsonObject, Randomness } from '#kernel';

import type { CloudEvent } from '../cloud-event.js';
import type { DeadLetter } from '../message-bus.js';

/** Thirty days, in seconds. */
const KEPT = 2_592_000;

/** The dead letters of a consumer group, in a stream of their own. */
export class DeadLetterStream {
  readonly #stream: StreamName;
  #retention: Promise<void> | undefined;

  constructor(
    private readonly store: EventStore,
    private readonly randomness: Randomness,
    { topic, group }: { topic: string; group: string },
  ) {
    this.#stream = streamName('deadletter', `${topic}.${group}`);
  }

  async keep({ message, ...letter }: DeadLetter): Promise<void> {
    this.#retention ??= this.store.setRetention(this.#stream, { maxAge: KEPT });
    await this.#retention.catch((error: unknown) => {
      this.#retention = undefined;
      throw error;
    });
    const data = { ...letter, ...(message && { message: message as unknown as JsonObject }) };
    await appendFact(this.store, this.randomness, this.#stream, { type: 'MessageGivenUp', data });
  }

  async all(): Promise<readonly DeadLetter[]> {
    return (await this.store.read(this.#stream)).map(asLetter);
  }
}

const asLetter = ({ data }: RecordedEvent): DeadLetter => {
  const { reason, at, origin, message } = data as unknown as DeadLetter;
  return { reason, at, origin, ...(message && { message: message satisfies CloudEvent }) };
};
