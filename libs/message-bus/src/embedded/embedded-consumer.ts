import { setTimeout as sleep } from 'node:timers/promises';

import { KeyedQueue, type RecordedEvent } from '#event-store';

import { type Arrival, Delivery, untilAvailable } from '../delivery.js';
import type { ConsumeOptions } from '../message-bus.js';
import { type Publication, UnpublishableEvent } from '../publication.js';
import { DeadLetterStream } from './dead-letter-stream.js';
import type { EmbeddedMessageBusParts } from './embedded-message-bus.js';
import { GroupOffset } from './group-offset.js';
import { Progress } from '../progress.js';

/** So many messages are under way at once: one that is tried again holds up others only beyond that. */
const UNDER_WAY = 256;

/** Offsets are committed at most this often, in milliseconds: what was done since then is done again after a crash. */
const COMMIT_EVERY = 100;

type Parts = Omit<EmbeddedMessageBusParts, 'publications'> & { readonly publication: Publication };

/** One consumer of the embedded bus: subscription → handlers, side by side for different subjects → offset. */
export class EmbeddedConsumer {
  readonly #delivery: Delivery;
  readonly #deadLetters: DeadLetterStream;
  readonly #queue = new KeyedQueue();
  /** Aborted by the signal of the options, or by a failure that nobody foresaw. */
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;

  constructor(
    private readonly parts: Parts,
    private readonly options: ConsumeOptions,
  ) {
    this.#delivery = new Delivery({ ...parts, ...options });
    this.#deadLetters = new DeadLetterStream(parts.eventStore, parts.randomness, options);
    this.#signal = AbortSignal.any([options.signal, this.#stop.signal]);
  }

  /** Ends with the signal. */
  async run(): Promise<void> {
    const { eventStore, randomness } = this.parts;
    try {
      const offset = await this.#untilAvailable(() => GroupOffset.load(eventStore, randomness, this.options));
      const progress = new Progress(offset.position, UNDER_WAY, this.#signal);
      const committing = this.#commitEverySoOften(offset, progress);
      await this.#follow(progress).finally(() => this.#stop.abort());
      await committing;
      await offset.commit(progress.done);
    } catch (error) {
      if (!this.options.signal.aborted) throw error;
    }
    if (!this.options.signal.aborted) throw this.#signal.reason;
  }

  async #follow(progress: Progress): Promise<void> {
    const underWay = new Set<Promise<void>>();
    const { categories } = this.parts.publication;
    for await (const event of this.parts.eventStore.subscribe({ after: progress.done, categories, signal: this.#signal })) {
      if (event === 'caught-up') continue;
      await progress.room();
      progress.begin(event.position);
      const dealing = this.#queue.run(event.stream, () => this.#deal(event)).then(
        () => progress.end(event.position),
        (error: unknown) => this.#stop.abort(error),
      );
      underWay.add(dealing);
      void dealing.then(() => underWay.delete(dealing));
    }
    await Promise.all(underWay);
  }

  async #deal(event: RecordedEvent): Promise<void> {
    const arrival = this.#arrivalOf(event);
    try {
      const message = await this.#untilAvailable(() => this.parts.publication.message(event));
      if (message) await this.#delivery.deliver(message, arrival);
    } catch (error) {
      if (!(error instanceof UnpublishableEvent)) throw error;
      await this.#delivery.park(error.message, undefined, arrival);
    }
  }

  #arrivalOf({ position }: RecordedEvent): Arrival {
    return {
      signal: this.#signal,
      heartbeat: nobodyWaits,
      park: (reason, message) =>
        this.#deadLetters.keep({ reason, at: this.parts.clock.now(), origin: `position ${position}`, ...(message && { message }) }),
    };
  }

  async #commitEverySoOften(offset: GroupOffset, progress: Progress): Promise<void> {
    while (!this.#signal.aborted) {
      await progress.change();
      await offset.commit(progress.done).catch((error: unknown) => this.parts.log.warn('offset not committed', { component: this.options.group, error }));
      await sleep(COMMIT_EVERY, undefined, { signal: this.#signal }).catch(() => undefined);
    }
  }

  #untilAvailable<Result>(work: () => Promise<Result>): Promise<Result> {
    return untilAvailable(work, { signal: this.#signal, heartbeat: nobodyWaits });
  }
}

const nobodyWaits = async (): Promise<void> => undefined;
