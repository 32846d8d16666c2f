import type { EventStore, Place, Position, RecordedEvent } from './event-store.js';

interface CountOptions {
  /** Undefined: all events are counted. */
  readonly after: Position | Place | undefined;
  readonly categories: readonly string[];
  /** Default: each event counts. */
  readonly concerns?: (event: RecordedEvent) => boolean;
  /** The count stops here. */
  readonly most: number;
  readonly signal: AbortSignal;
}

/**
 * Counts the events after a place, up to the present end of the store. Call it rarely, because it reads each event. Undefined when the signal comes
 * before the end. Throws SubscriptionRefused.
 */
export const countAfter = async (
  eventStore: EventStore,
  { after, categories, concerns = () => true, most, signal }: CountOptions,
): Promise<number | undefined> => {
  const enough = new AbortController();
  let count = 0;
  try {
    const over = AbortSignal.any([signal, enough.signal]);
    for await (const item of eventStore.subscribe({ ...(after !== undefined && { after }), categories, signal: over })) {
      if (item === 'caught-up') return count;
      if (concerns(item) && ++count >= most) return count;
    }
    return undefined;
  } finally {
    enough.abort();
  }
};
