import { setTimeout as sleep } from 'node:timers/promises';

import type { Place, RecordedEvent, SubscriptionItem } from '#event-store';

/** Events that came without a pause between them. */
export interface Batch {
  readonly events: readonly RecordedEvent[];
  /** Whether all events stored so far have been handed over with this batch or before it. */
  readonly caughtUp: boolean;
  /** The last event; undefined when there is none. */
  readonly place: Place | undefined;
}

const PAUSE = Symbol('pause');

/**
 * At most `size` events at a time; fewer as soon as the next one is not there at once, or `linger` milliseconds after the first one, where they are
 * given.
 */
export async function* batches(items: AsyncIterable<SubscriptionItem>, size: number, linger?: number): AsyncGenerator<Batch, void, void> {
  const iterator = items[Symbol.asyncIterator]();
  let next: Promise<IteratorResult<SubscriptionItem, unknown>> | undefined;
  let over: Promise<typeof PAUSE> | undefined;
  try {
    for (let events: RecordedEvent[] = []; ;) {
      next ??= iterator.next();
      const arrived = events.length === 0 ? await next : await Promise.race([next, over ?? pause()]);
      if (arrived === PAUSE) {
        yield batchOf(events, false);
        events = [];
        continue;
      }
      next = undefined;
      if (arrived.done) {
        if (events.length > 0) yield batchOf(events, false);
        return;
      }
      if (arrived.value !== 'caught-up') {
        if (events.length === 0 && linger !== undefined) over = sleep(linger, PAUSE, { ref: false });
        events.push(arrived.value);
      }
      if (arrived.value === 'caught-up' || events.length >= size) {
        yield batchOf(events, arrived.value === 'caught-up');
        events = [];
      }
    }
  } finally {
    next?.catch(() => undefined);
    // Not awaited: the iterator may wait for an event, until the subscription's signal.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** A turn of the event loop: everything that arrived by then belongs to the same batch. */
const pause = (): Promise<typeof PAUSE> => new Promise((resolve) => setImmediate(resolve, PAUSE));

const batchOf = (events: readonly RecordedEvent[], caughtUp: boolean): Batch => ({ events, caughtUp, place: events.at(-1) });
