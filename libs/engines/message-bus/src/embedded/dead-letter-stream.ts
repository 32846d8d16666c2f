import { appendFact, decideAndAppend, type EventStore, type RecordedEvent, type StreamName } from '#engines/event-store';
import type { Clock, JsonObject } from '#kernel';

import type { CloudEvent } from '../cloud-event.js';
import type { DeadLetter } from '../message-bus.js';
import { DEAD_LETTERS, type LettersRedriven, type MessageGivenUp } from './streams.js';

/** The dead letters of a consumer group, in a stream of their own. */
export class DeadLetterStream {
  readonly stream: StreamName;
  #retention: Promise<void> | undefined;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    { topic, group }: { topic: string; group: string },
  ) {
    this.stream = DEAD_LETTERS.of(`${topic}.${group}`);
  }

  async keep({ message, source, redriven: _, ...letter }: DeadLetter): Promise<void> {
    this.#retention ??= DEAD_LETTERS.retain(this.store, this.stream);
    await this.#retention.catch((error: unknown) => {
      this.#retention = undefined;
      throw error;
    });
    const data = { ...letter, ...(message && { message: message as unknown as JsonObject }), ...(source && { source }) };
    await appendFact({ store: this.store, clock: this.clock }, this.stream, { type: 'MessageGivenUp', data });
  }

  async all(): Promise<readonly DeadLetter[]> {
    const events = await this.#read();
    const through = lastRedriven(events);
    return letters(events).map(({ revision, letter }) => (revision <= through ? { ...letter, redriven: true } : letter));
  }

  /**
   * Marks the letters that wait as handed over, and answers them. The group's consumer takes them from {@link redrivenBy}. `handOver` gives them
   * to consumers that read no stream; it comes before the mark, and again after a conflict.
   */
  async redrive(handOver: (letters: readonly DeadLetter[]) => Promise<void> = async () => undefined): Promise<readonly DeadLetter[]> {
    const { loaded } = await decideAndAppend<{ waiting: ReturnType<typeof letters>; revision: number }, LettersRedriven>(
      { store: this.store, clock: this.clock },
      this.stream,
      {
        load: async () => {
          const events = await this.#read();
          const through = lastRedriven(events);
          return { waiting: letters(events).filter(({ revision }) => revision > through), revision: events.at(-1)?.revision ?? 0 };
        },
        decide: async ({ waiting, revision }) => {
          if (waiting.length === 0) return [];
          await handOver(waiting.map(({ letter }) => letter));
          return [{ type: 'LettersRedriven', data: { through: revision, at: this.clock.now() } }];
        },
      },
    );
    return loaded.waiting.map(({ letter }) => letter);
  }

  /** The letters that this event of the stream hands over; none for another event. */
  async redrivenBy(event: Pick<RecordedEvent, 'type' | 'revision'>): Promise<readonly DeadLetter[]> {
    if (event.type !== 'LettersRedriven') return [];
    const before = (await this.#read()).filter(({ revision }) => revision < event.revision);
    const through = lastRedriven(before);
    return letters(before).flatMap(({ revision, letter }) => (revision > through ? [letter] : []));
  }

  #read(): Promise<readonly RecordedEvent<MessageGivenUp | LettersRedriven>[]> {
    return this.store.read<MessageGivenUp | LettersRedriven>(this.stream);
  }
}

const lastRedriven = (events: readonly (MessageGivenUp | LettersRedriven)[]): number =>
  events.reduce((last, { type, data }) => (type === 'LettersRedriven' ? data.through : last), -1);

const letters = (events: readonly RecordedEvent<MessageGivenUp | LettersRedriven>[]) =>
  events.flatMap((event) => (event.type === 'MessageGivenUp' ? [{ revision: event.revision, letter: asLetter(event) }] : []));

const asLetter = ({ data }: MessageGivenUp): DeadLetter => {
  const { reason, at, origin, message, source } = data;
  return {
    reason,
    at,
    origin,
    ...(message && { message: message as unknown as CloudEvent }),
    ...(source && { source: source as unknown as NonNullable<DeadLetter['source']> }),
  };
};
