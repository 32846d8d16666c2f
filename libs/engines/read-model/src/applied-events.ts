import type { EventId } from '#kernel';
import type { EventStore, Place, StreamName } from '#engines/event-store';

/** An event that a consumer of the bus has applied to the rows of a projection. Its place in the store is not known. */
export interface AppliedEvent {
  readonly stream: StreamName;
  readonly revision: number;
  readonly id: EventId;
}

/** More than that are not looked up at once. Consumers of several partitions apply the newest events in no order. */
const MOST = 8;

/** The newest events that this process has applied from the bus, until they were looked up in the store. */
export class AppliedEvents {
  #newest: AppliedEvent[] = [];
  /** Events that the store did not show at the last look. */
  #missed: readonly AppliedEvent[] = [];

  add(event: AppliedEvent): void {
    this.#newest.push(event);
    if (this.#newest.length > MOST) this.#newest.shift();
  }

  /**
   * Looks up in the store the events that were applied since the last look. Answers the furthest event, or `lacking` when the store does not have an event at two looks in a
   * row: a subscription may hand over an event a moment before reads show it.
   */
  async lookUp(eventStore: EventStore): Promise<Place | 'lacking' | undefined> {
    const missed = await Promise.all(this.#missed.map((event) => find(eventStore, event)));
    if (missed.includes('lacking')) return 'lacking';
    const events = this.#newest;
    const found = await Promise.all(events.map((event) => find(eventStore, event)));
    this.#newest = this.#newest.filter((event) => !events.includes(event));
    this.#missed = events.filter((_event, index) => found[index] === 'lacking');
    return furthest([...missed, ...found]);
  }

  /** Forgets all: the rows are built anew. */
  clear(): void {
    this.#newest = [];
    this.#missed = [];
  }
}

/** Undefined when the event was erased. */
const find = async (eventStore: EventStore, { stream, revision, id }: AppliedEvent): Promise<Place | 'lacking' | undefined> => {
  const [event] = await eventStore.read(stream, { from: revision, limit: 1 });
  if (event) return event.revision > revision || event.id === id ? event : 'lacking';
  const [last] = await eventStore.read(stream, { direction: 'backwards', limit: 1 });
  if (last) return last.revision < revision ? 'lacking' : undefined;
  return (await eventStore.exists(stream)) ? undefined : 'lacking';
};

const furthest = (places: readonly (Place | 'lacking' | undefined)[]): Place | undefined =>
  places.reduce<Place | undefined>(
    (most, place) => (place && place !== 'lacking' && (!most || place.position > most.position) ? place : most),
    undefined,
  );
