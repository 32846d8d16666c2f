import { type EventStore, type KeptPlace, type Position, type RecordedEvent, SubscriptionRefused } from './event-store.js';

interface CountOptions {
  /** Undefined: all events are counted. */
  readonly after: Position | KeptPlace | undefined;
  readonly categories: readonly string[];
  /** Default: each event counts. */
  readonly concerns?: (event: RecordedEvent) => boolean;
  /** The count stops here. */
  readonly most: number;
  readonly signal: AbortSignal;
}

/**
 * Counts the events after a place, up to the present end of the store. Call it rarely, because it reads each event. Undefined when the signal comes
 * before the end, and when the store lacks the place: who goes on from there will find it, and acts. Throws SubscriptionRefused for all other reasons.
 */
export const countAfter = async (
  eventStore: EventStore,
  { after, categories, concerns = () => true, most, signal }: CountOptions,
): Promise<number | undefined> => {
  const enough = new AbortController();
  let count = 0;
  try {
    const over = AbortSignal.any([signal, enough.signal]);
    for await (const item of eventStore.subscribe({ ...(after !== undefined && { after }), categories, signal: over, restored: 'refuse' })) {
      if (item === 'caught-up') return count;
      if (concerns(item) && ++count >= most) return count;
    }
    return undefined;
  } catch (error) {
    if (error instanceof SubscriptionRefused && error.reason === 'restored') return undefined;
    throw error;
  } finally {
    enough.abort();
  }
};
