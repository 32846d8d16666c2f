import type { Place, RecordedEvent, SubscriptionItem } from '#engines/event-store';

/** Events that came without a pause between them. */
export interface Batch {
  readonly events: readonly RecordedEvent[];
  /** Whether all events stored so far have been handed over with this batch or before it. */
  readonly caughtUp: boolean;
  /** The last event; undefined when there is none. */
  readonly place: Place | undefined;
}

export interface BatchOptions {
  /** Of a batch, at most. */
  readonly size: number;
  /** Milliseconds from the first event of a batch to its end. Default: it ends as soon as the next event is not there at once. */
  readonly linger?: number | undefined;
  /** Asked once for each event, before the next one is asked for. The others are left out. Default: all. */
  readonly concerns?: (event: RecordedEvent) => boolean;
}

/** The events in batches. While the caller works on one batch, the next one is gathered. */
export async function* batches(items: AsyncIterable<SubscriptionItem>, options: BatchOptions): AsyncGenerator<Batch, void, void> {
  const gathering = new Gathering(items[Symbol.asyncIterator](), options);
  void gathering.run();
  try {
    for (let batch = await gathering.next(); batch; batch = await gathering.next()) yield batch;
  } finally {
    gathering.leave();
  }
}

/** Takes the items one after another. That costs one promise for each; a race of the next item against the end of the batch would cost several. */
class Gathering {
  #events: RecordedEvent[] = [];
  #caughtUp = false;
  #isOver = false;
  #failure: { readonly error: unknown } | undefined;
  /** Resolved when the batch is complete. Until it is taken, it grows to its size. */
  #complete = Promise.withResolvers<void>();
  #taken = Promise.withResolvers<void>();

  constructor(
    private readonly iterator: AsyncIterator<SubscriptionItem, unknown>,
    private readonly options: BatchOptions,
  ) {}

  /** Resolves after the last item, and when the reader has left. Never rejects. */
  async run(): Promise<void> {
    try {
      while (!this.#isOver && (await this.#add())) if (this.#isFull()) await this.#taken.promise;
    } catch (error) {
      this.#failure = { error };
    }
    this.#isOver = true;
    this.#complete.resolve();
  }

  /** The next batch; undefined after the last one. Rejects with the failure of the items, and drops what came before it: the next subscription brings it again. */
  async next(): Promise<Batch | undefined> {
    await this.#complete.promise;
    if (this.#failure) throw this.#failure.error;
    const batch = { events: this.#events, caughtUp: this.#caughtUp, place: this.#events.at(-1) };
    this.#events = [];
    this.#caughtUp = false;
    if (!this.#isOver) this.#complete = Promise.withResolvers();
    this.#taken.resolve();
    this.#taken = Promise.withResolvers();
    return batch.place || batch.caughtUp ? batch : undefined;
  }

  /** Does not wait: the iterator may wait for an event, until the subscription's signal. */
  leave(): void {
    this.#isOver = true;
    this.#taken.resolve();
    void Promise.resolve(this.iterator.return?.()).catch(() => undefined);
  }

  /** Waits for the next item. False when there is none. */
  async #add(): Promise<boolean> {
    const { done, value } = await this.iterator.next();
    if (done) return false;
    const item = value as SubscriptionItem;
    if (item === 'caught-up') this.#caughtUp = true;
    else if (this.options.concerns?.(item) ?? true) {
      this.#events.push(item);
      if (this.#events.length === 1) this.#completeLater();
    }
    return true;
  }

  #isFull(): boolean {
    const isFull = this.#caughtUp || this.#events.length >= this.options.size;
    if (isFull) this.#complete.resolve();
    return isFull;
  }

  /** Of a batch that was taken in the meantime, nothing is left to complete. */
  #completeLater(): void {
    const events = this.#events;
    const { linger } = this.options;
    let known = events.length;
    const look = (): void => {
      if (events !== this.#events) return;
      if (linger !== undefined || events.length === known) return this.#complete.resolve();
      known = events.length;
      setImmediate(look);
    };
    if (linger === undefined) setImmediate(look);
    else setTimeout(look, linger).unref();
  }
}
