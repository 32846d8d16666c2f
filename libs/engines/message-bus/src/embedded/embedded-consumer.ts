import { categoryOf, idOf, type RecordedEvent } from '#engines/event-store';
import { type EventId, KeyedQueue, pause as systemPause } from '#kernel';

import type { CloudEvent } from '../cloud-event.js';
import type { Arrival } from '../arrival.js';
import { Handover, untilAvailable } from '../handover.js';
import type { ConsumeOptions, DeadLetter } from '../message-bus.js';
import { type Publication, UnpublishableEvent } from '../publication.js';
import { DeadLetterStream } from './dead-letter-stream.js';
import { DEAD_LETTERS } from './streams.js';
import type { EmbeddedMessageBusParts } from './embedded-message-bus-parts.js';
import { GroupOffset } from './group-offset.js';
import { HandledRevisions } from '../progress.js';

/** Messages under way at once. A message that is being retried delays others only when this many are under way. */
const MAX_UNDER_WAY = 256;

/**
 * Time from a message to the commit of its offset, in milliseconds. After a crash the messages since the last commit are processed again. All groups
 * receive an event at the same time, so their commits share one flush of the disk for all events of this time.
 */
const COMMIT_INTERVAL = 1_000;

/** By the id of the last event that is done, an offset is found again in a restored store. */
type Progress = HandledRevisions<EventId>;

type Parts = Omit<EmbeddedMessageBusParts, 'publications' | 'channels' | 'begin'> & { readonly publication: Publication };

/** One consumer of the embedded bus: subscription → handlers, in parallel for different subjects → offset. */
export class EmbeddedConsumer {
  readonly #delivery: Handover;
  readonly #deadLetters: DeadLetterStream;
  readonly #queue = new KeyedQueue();
  /** Aborted by an unexpected failure. */
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;

  constructor(
    private readonly parts: Parts,
    private readonly options: ConsumeOptions,
  ) {
    this.#delivery = new Handover({ ...parts, ...options, isGapless: true });
    this.#deadLetters = new DeadLetterStream(parts.eventStore, parts.clock, options);
    this.#signal = AbortSignal.any([options.signal, this.#stop.signal]);
  }

  /** Ends with the signal. */
  async run(): Promise<void> {
    const { eventStore, clock } = this.parts;
    try {
      const offset = await this.#untilAvailable(() => GroupOffset.load({ store: eventStore, clock }, this.options));
      const progress: Progress = new HandledRevisions(offset.position, MAX_UNDER_WAY, this.#signal);
      const committing = this.#commitPeriodically(offset, progress);
      await this.#follow(offset, progress).finally(() => this.#stop.abort());
      await committing;
      await commit(offset, progress);
    } catch (error) {
      if (!this.options.signal.aborted) throw error;
    }
    if (!this.options.signal.aborted) throw this.#signal.reason;
  }

  async #follow(offset: GroupOffset, progress: Progress): Promise<void> {
    const { eventStore, publication } = this.parts;
    const categories = [...publication.categories, DEAD_LETTERS.category];
    let { continuity } = eventStore;
    for await (const event of eventStore.subscribe({ after: offset.after, categories, signal: this.#signal })) {
      if (continuity !== eventStore.continuity) {
        ({ continuity } = eventStore);
        progress.restart();
        offset.restored();
      }
      if (event === 'caught-up') continue;
      if (progress.isFull) await progress.room();
      if (this.#ignores(event)) {
        this.#delivery.ignore();
        progress.pass(event.position, event.id);
        continue;
      }
      const done = progress.begin(event.position, event.id);
      void this.#queue.run(event.stream, () => this.#take(event, done));
    }
    await this.#queue.idle();
  }

  /** Never rejects. */
  async #take(event: RecordedEvent, done: () => void): Promise<void> {
    try {
      await (isDeadLetter(event) ? this.#redrive(event) : this.#process(event));
      done();
    } catch (error) {
      this.#stop.abort(error);
    }
  }

  /** Whether the group has no handler for the event. Most groups handle a few of many types, so such an event costs no queue and no promise. */
  #ignores(event: RecordedEvent): boolean {
    const { publication } = this.parts;
    const type = isDeadLetter(event) ? undefined : publication.typeOf(event);
    return type !== undefined && publication.types.has(type) && !this.#delivery.handles(type);
  }

  async #process(event: RecordedEvent): Promise<void> {
    const arrival = this.#arrivalOf(event, { subject: idOf(event.stream), esrevision: event.revision });
    try {
      await this.#delivery.deliver(await this.parts.publication.message(event), arrival);
    } catch (error) {
      if (!(error instanceof UnpublishableEvent)) throw error;
      await this.#delivery.park(error.message, undefined, arrival);
    }
  }

  /** An operator has handed dead letters over again. Letters of other groups are skipped. */
  async #redrive(event: RecordedEvent): Promise<void> {
    if (event.stream !== this.#deadLetters.stream) return;
    for (const letter of await this.#untilAvailable(() => this.#deadLetters.redrivenBy(event))) {
      const message = letter.message ?? (await this.#untilAvailable(() => this.#messageOf(letter)));
      const arrival = this.#arrivalOf(event, letter.source);
      if (!message) await this.#delivery.park(letter.reason, undefined, arrival);
      else await this.#queue.run(this.parts.publication.streamOf(message.subject), () => this.#delivery.deliverAgain(message, arrival));
    }
  }

  async #messageOf({ source }: DeadLetter): Promise<CloudEvent | undefined> {
    if (!source) return undefined;
    const [message] = await this.parts.publication.messagesOf(source.subject, source.esrevision, source.esrevision);
    return message;
  }

  #arrivalOf({ position }: RecordedEvent, source?: DeadLetter['source']): Arrival {
    return {
      signal: this.#signal,
      park: (reason, message) =>
        this.#deadLetters.keep({
          reason,
          at: this.parts.clock.now(),
          origin: `position ${position}`,
          ...(message ? { message } : source && { source }),
        }),
    };
  }

  async #commitPeriodically(offset: GroupOffset, progress: Progress): Promise<void> {
    while (!this.#signal.aborted) {
      if (progress.done === offset.position) await progress.change();
      await this.#pause();
      if (this.#signal.aborted) return; // the last commit follows
      await commit(offset, progress).catch((error: unknown) => this.parts.log.warn('offset not committed', { component: this.options.group, error }));
    }
  }

  #pause(): Promise<unknown> {
    const { pause = systemPause } = this.parts;
    return pause(COMMIT_INTERVAL, this.#signal);
  }

  #untilAvailable<Result>(work: () => Promise<Result>): Promise<Result> {
    return untilAvailable(work, { signal: this.#signal });
  }
}

const commit = async (offset: GroupOffset, { done, mark }: Progress): Promise<void> => {
  if (mark !== undefined) await offset.commit({ position: done, id: mark });
};

const isDeadLetter = ({ stream }: RecordedEvent): boolean => categoryOf(stream) === DEAD_LETTERS.category;
