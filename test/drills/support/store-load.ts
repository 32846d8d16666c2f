import { type EventStore, EventStoreUnavailable, NO_STREAM, type RecordedEvent, streamName } from '#engines/event-store';
import { SystemRandomness } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';

const randomness = new SystemRandomness();

/** Writers, each on a stream of its own, that repeat each append until it is acknowledged, and a subscription to their events. */
export class StoreLoad {
  /** The acknowledged events: id and revision. */
  readonly acknowledged = new Map<string, number>();
  readonly seen: RecordedEvent[] = [];
  readonly refusals: unknown[] = [];
  readonly #category = `load${randomness.bytes(6).toString('hex')}`;
  readonly #stop = new AbortController();
  readonly #abandon = new AbortController();
  readonly #following: Promise<void>;
  readonly #writing: Promise<unknown>;
  #answeredAt: number[] = [];

  constructor(
    private readonly store: EventStore,
    writers: number,
  ) {
    this.#following = this.#follow();
    this.#writing = Promise.all(Array.from({ length: writers }, () => this.#write()));
    this.#writing.catch(() => undefined); // end() throws it
  }

  /** Resolves with the time of the first append that is answered after the given time (of `performance.now()`). */
  async answerAfter(time: number): Promise<number> {
    await eventually(() => this.#answeredAt.at(-1)! > time, { what: 'an append is answered', within: 60_000 });
    return this.#answeredAt.find((at) => at > time)!;
  }

  /** Ends the writers, and the subscription when it has handed over all that was acknowledged. */
  async end(): Promise<void> {
    this.#stop.abort();
    await this.#writing;
    await eventually(() => this.seen.length >= this.acknowledged.size, { what: 'the subscription hands over everything', within: 60_000 });
    this.abandon();
    await this.#following;
  }

  /** Ends everything as it is. */
  abandon(): void {
    this.#stop.abort();
    this.#abandon.abort();
  }

  async #write(): Promise<void> {
    const stream = streamName(this.#category, randomness.uuid());
    let revision: number | undefined;
    while (!this.#stop.signal.aborted) {
      const ids = [randomness.uuid<RecordedEvent['id']>()];
      const expected = revision ?? NO_STREAM;
      for (let stored = false; !stored && !this.#abandon.signal.aborted;) {
        try {
          ({ revision } = await this.store.append(stream, expected, [{ type: 'Happened', data: {} }], { ids }));
          stored = true;
          this.acknowledged.set(ids[0]!, revision);
          this.#answeredAt.push(performance.now());
        } catch (error) {
          if (!(error instanceof EventStoreUnavailable)) throw error;
          this.refusals.push(error);
        }
      }
    }
  }

  async #follow(): Promise<void> {
    for await (const item of this.store.subscribe({ categories: [this.#category], signal: this.#abandon.signal })) {
      if (item !== 'caught-up') this.seen.push(item);
    }
  }
}
