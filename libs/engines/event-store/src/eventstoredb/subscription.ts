import {
  BACKWARDS,
  END,
  type EventStoreDBClient,
  FORWARDS,
  type ReadAllOptions,
  type ResolvedEvent,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import type { EventId } from '#kernel';

import type { Place, Position, SubscriptionItem } from '../event-store.js';
import { isPositionRefused, isUnnamed } from './failure.js';
import { recordedEvent } from './recorded-event.js';

/** After how many considered events the server tells where it is, in units of its search window (32). */
const CHECKPOINT_INTERVAL = 100;

/** The server has handed over all events of the subscription that lie before the position. */
export class ServerCheckpoint {
  constructor(readonly position: Position) {}
}

const at = (position: Position) => ({ commit: position, prepare: position });

/** The first event that the read answers. It is read to its end: a call that is left delays the closing of the client. */
const oneEvent = async (client: EventStoreDBClient, from: Pick<ReadAllOptions, 'direction' | 'fromPosition'>): Promise<Place | undefined> => {
  let found: Place | undefined;
  for await (const { event } of client.readAll({ ...from, maxCount: 1, requiresLeader: true }))
    if (event?.position) found = { position: event.position.commit, id: event.id as EventId };
  return found;
};

/** The last event of the store; nothing when it is empty. */
export const endOf = (client: EventStoreDBClient): Promise<Place | undefined> => oneEvent(client, { direction: BACKWARDS, fromPosition: END });

/**
 * The last event before the position, of any stream; nothing when there is none, or when the server does not know the position. Not the one
 * at the position: a checkpoint may name the event that the server considers next.
 */
export const eventBefore = async (client: EventStoreDBClient, position: Position): Promise<Place | undefined> => {
  try {
    return await oneEvent(client, { direction: BACKWARDS, fromPosition: at(position) });
  } catch (error) {
    await assertRefused(client, error);
    return undefined;
  }
};

/** Throws the error unless the server has refused the position. A server that answers no read at all has not: its failure may pass. */
const assertRefused = async (client: EventStoreDBClient, error: unknown): Promise<void> => {
  if (!isPositionRefused(error)) throw error;
  if (isUnnamed(error)) await endOf(client);
};

/** The event at the position; where a scavenge has removed it from there, the last one before. Nothing when the server does not know the position. */
export const lastUpTo = async (client: EventStoreDBClient, position: Position): Promise<Place | undefined> => {
  const found = await firstFrom(client, position);
  return found?.position === position ? found : eventBefore(client, position);
};

/** Whether the store has the mark. No scavenge removes one. */
export const isStoredMark = async (client: EventStoreDBClient, { position, id }: Place): Promise<boolean> =>
  (await firstFrom(client, position))?.id === id;

/** Whether the store has the event at its position, or a scavenge has removed it from there. */
export const isStored = async (client: EventStoreDBClient, { position, id }: Place): Promise<boolean> => {
  const found = await firstFrom(client, position);
  return found !== undefined && (found.position > position || found.id === id);
};

/** The first event from the position on; nothing when there is none, or when none of the server's events begins at the position. */
const firstFrom = async (client: EventStoreDBClient, position: Position): Promise<Place | undefined> => {
  try {
    return await oneEvent(client, { direction: FORWARDS, fromPosition: at(position) });
  } catch (error) {
    await assertRefused(client, error);
    return undefined;
  }
};

/** Whether an event of the server begins at the position. */
export const beginsAt = async (client: EventStoreDBClient, position: Position): Promise<boolean> =>
  (await firstFrom(client, position))?.position === position;

export interface SubscriptionSignals {
  /** Ends the subscription. */
  readonly signal: AbortSignal;
  /** The client's node was left: the subscription fails. */
  readonly left: AbortSignal;
}

/**
 * The events of the categories after the position, and the server's checkpoints, over one call. It throws whenever the call ends, for any reason,
 * until the signal is given.
 */
export async function* subscribeOnce(
  client: EventStoreDBClient,
  categories: readonly string[],
  after: Position | undefined,
  { signal, left }: SubscriptionSignals,
): AsyncGenerator<SubscriptionItem | ServerCheckpoint, void, void> {
  const subscription = client.subscribeToAll({
    fromPosition: after === undefined ? START : at(after),
    // As reads do: on another node, either of them may be ahead.
    requiresLeader: true,
    filter: streamNameFilter({
      prefixes: categories.map((category) => `${category}-`),
      checkpointInterval: CHECKPOINT_INTERVAL,
      // A checkpoint waits among the events that the consumer has not read yet.
      checkpointReached: async (reporting, { commit }) => void (reporting as unknown as LiveSubscription).push(new ServerCheckpoint(commit)),
    }),
  }) as unknown as LiveSubscription;
  const leave = (): void => {
    // Without it the server goes on sending. It waits for the call to be opened, which may fail or never come.
    subscription.unsubscribe().catch(() => undefined);
    subscription.destroy();
  };
  subscription.on('error', () => undefined); // the iteration throws it
  // The note takes its place among the events that wait to be read.
  subscription.on('caughtUp', () => subscription.push(CAUGHT_UP));
  const fail = (): void => void subscription.destroy(left.reason as Error);
  signal.addEventListener('abort', leave);
  left.addEventListener('abort', fail);
  try {
    if (signal.aborted) return;
    left.throwIfAborted();
    for await (const item of subscription) {
      if (signal.aborted) return;
      const next = item === CAUGHT_UP || item instanceof ServerCheckpoint ? item : recordedEvent(item);
      if (next) yield next;
    }
    if (!signal.aborted) throw new Error('the subscription ended');
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', leave);
    left.removeEventListener('abort', fail);
    leave();
  }
}

const CAUGHT_UP = 'caught-up';

type Item = ResolvedEvent | ServerCheckpoint | typeof CAUGHT_UP;

/** The subscription as the stream that it is: the client's types name neither `push` nor its other items. */
interface LiveSubscription extends AsyncIterable<Item> {
  on(event: 'error' | 'caughtUp', listener: () => void): unknown;
  push(item: ServerCheckpoint | typeof CAUGHT_UP): boolean;
  unsubscribe(): Promise<void>;
  destroy(error?: Error): void;
}
