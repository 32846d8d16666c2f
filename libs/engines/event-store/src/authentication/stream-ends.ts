import type { Pause } from '#kernel';

import type { EventStore, ReadOptions, RecordedEvent, StreamName } from '../event-store.js';

/** An event of a stream. Its MAC covers both, so that no other event that a service has stored has the same ones. */
export interface KnownEvent {
  readonly revision: number;
  readonly id: string;
}

/** A node that has just begun to lead may lag for a moment. Milliseconds between two looks, and how many looks decide. */
const PAUSE = 100;
const LOOKS = 3;

/** The newest event of each of some streams that this process has appended or read, and whether the store still shows the stream up to it. */
export class StreamEnds {
  readonly #newest = new Map<StreamName, KnownEvent>();

  constructor(
    private readonly store: EventStore,
    private readonly pause: Pause,
  ) {}

  newest(stream: StreamName): KnownEvent | undefined {
    return this.#newest.get(stream);
  }

  /** All of them. */
  forget(): void {
    this.#newest.clear();
  }

  /** An event that was appended or read. */
  note(stream: StreamName, { revision, id }: KnownEvent): void {
    if (revision > (this.#newest.get(stream)?.revision ?? -1)) this.#newest.set(stream, { revision, id });
  }

  /** The revision of an event that the stream lacks; undefined when both of its ends are there. Notes the newest event. Throws what reads throw. */
  async missing(stream: StreamName): Promise<number | undefined> {
    for (let looks = 1; ; looks++) {
      // What is noted from here on may be newer than the answer.
      const missing = await this.#missing(stream, this.#newest.get(stream));
      if (missing === undefined || looks === LOOKS) return missing;
      await this.pause(PAUSE);
    }
  }

  /** Whether the event is still the predecessor of the one after it, which a read that ends with it does not show. */
  async isFollowed(stream: StreamName, { revision, id }: KnownEvent): Promise<boolean> {
    const [, found] = await this.store.read(stream, { direction: 'backwards', from: revision + 1, limit: 2 });
    return found?.id === id;
  }

  async #missing(stream: StreamName, known: KnownEvent | undefined): Promise<number | undefined> {
    const [[newest], [first]] = await Promise.all([
      this.store.read(stream, { direction: 'backwards', limit: 1 }),
      this.store.read(stream, { limit: 1 }),
    ]);
    if (!newest) return known?.revision ?? ((await this.store.exists(stream)) ? 0 : undefined);
    if (first?.revision !== 0) return 0;
    if (known && !(await this.#holds(stream, known, newest))) return known.revision;
    this.note(stream, newest);
    return undefined;
  }

  async #holds(stream: StreamName, { revision, id }: KnownEvent, newest: RecordedEvent): Promise<boolean> {
    if (newest.revision <= revision) return newest.revision === revision && newest.id === id;
    const [found] = await this.store.read(stream, { direction: 'backwards', from: revision, limit: 1 });
    return found?.id === id;
  }
}

/** The revision of an event that a read must show and does not; undefined when it shows all. `newest`: the revision of an event that the stream had before the read. */
export const missingIn = (
  events: readonly RecordedEvent[],
  { direction = 'forwards', from, limit = Infinity }: ReadOptions,
  newest: number,
): number | undefined => {
  const [shown, last] = [events[0]?.revision, events.at(-1)?.revision ?? -1];
  const hasEnded = events.length < limit;
  if (direction === 'forwards') {
    const start = from ?? 0;
    if (start > newest) return undefined;
    if (shown !== start) return start;
    return hasEnded && last < newest ? newest : undefined;
  }
  if (from === undefined && (shown ?? -1) < newest) return newest;
  if (from !== undefined && from <= newest && shown !== from) return from;
  return hasEnded && last > 0 ? 0 : undefined;
};
