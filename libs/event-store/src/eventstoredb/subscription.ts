import { END, type EventStoreDBClient, type ResolvedEvent, START, streamNameFilter } from '@eventstore/db-client';

import type { Position, SubscriptionItem } from '../event-store.js';
import { recordedEvent } from './recorded-event.js';

/** After how many considered events the server tells where it is, in units of its search window (32). */
const CHECKPOINT_INTERVAL = 100;

const at = (position: Position) => ({ commit: position, prepare: position });

/** Where the store ends now; nothing when it is empty. */
export const endOf = async (client: EventStoreDBClient): Promise<Position | undefined> => {
  let end: Position | undefined;
  for await (const { event } of client.readAll({ direction: 'backwards', fromPosition: END, maxCount: 1 })) end = event?.position?.commit;
  return end;
};

/**
 * The events of the categories after the position, over one call. Never ends well: it throws whenever the call ends, however
 * it does, until the signal is given.
 */
export async function* subscribeOnce(
  client: EventStoreDBClient,
  categories: readonly string[],
  after: Position | undefined,
  signal: AbortSignal,
): AsyncGenerator<SubscriptionItem, void, void> {
  const subscription = client.subscribeToAll({
    fromPosition: after === undefined ? START : at(after),
    filter: streamNameFilter({ prefixes: categories.map((category) => `${category}-`), checkpointInterval: CHECKPOINT_INTERVAL }),
  }) as unknown as LiveSubscription;
  const leave = (): void => {
    // Without it the server goes on sending. It waits for the call to be opened, which may fail or never come.
    subscription.unsubscribe().catch(() => undefined);
    subscription.destroy();
  };
  subscription.on('error', () => undefined); // told by the iteration
  // The note takes its place among the events that wait to be read.
  subscription.on('caughtUp', () => subscription.push(CAUGHT_UP));
  signal.addEventListener('abort', leave);
  try {
    if (signal.aborted) return;
    for await (const item of subscription) {
      if (signal.aborted) return;
      const next = item === CAUGHT_UP ? item : recordedEvent(item);
      if (next) yield next;
    }
    if (!signal.aborted) throw new Error('the subscription ended');
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', leave);
    leave();
  }
}

const CAUGHT_UP = 'caught-up';

type Item = ResolvedEvent | typeof CAUGHT_UP;

/** The subscription as the stream that it is. */
interface LiveSubscription extends AsyncIterable<Item> {
  on(event: 'error' | 'caughtUp', listener: () => void): unknown;
  push(item: typeof CAUGHT_UP): boolean;
  unsubscribe(): Promise<void>;
  destroy(): void;
}
