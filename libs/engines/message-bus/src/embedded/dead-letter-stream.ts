import { appendFact, decideAndAppend, type EventStore, type RecordedEvent, type StreamName, streamName } from '#engines/event-store';
import type { Clock, DomainEvent, JsonObject } from '#kernel';

import type { CloudEvent } from '../cloud-event.js';
import type { DeadLetter } from '../message-bus.js';

/** Thirty days, in seconds. */
const RETENTION = 2_592_000;

/** The category of the streams of dead letters. */
export const DEAD_LETTERS = 'deadletter';

/** A letter as it is stored. The message and its source are interfaces, which TypeScript takes for no JSON object: hence the casts of both ways. */
type MessageGivenUp = DomainEvent<
  'MessageGivenUp',
  Omit<DeadLetter, 'message' | 'source' | 'redriven'> & { message?: JsonObject; source?: JsonObject }
>;

/** An operator hands the letters up to that revision to their group again. */
type LettersRedriven = DomainEvent<'LettersRedriven', { readonly through: number; readonly at: number }>;

/** The dead letters of a consumer group, in a stream of their own. */
export class DeadLetterStream {
  readonly stream: StreamName;
  #retention: Promise<void> | undefined;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    { topic, group }: { topic: string; group: string },
  ) {
    this.stream = streamName(DEAD_LETTERS, `${topic}.${group}`);
  }

  async keep({ message, source, redriven: _, ...letter }: DeadLetter): Promise<void> {
    this.#retention ??= this.store.setRetention(this.stream, { maxAge: RETENTION });
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
