import { BACKWARDS, END, type EventStoreDBClient, type ResolvedEvent } from '@eventstore/db-client';

import { EventStoreUnavailable, type StreamName } from '../event-store.js';
import { failureOf, unavailable } from './failure.js';
import { type Pause, within } from './patience.js';

/** Milliseconds for a whole read. The client itself would wait for ever. */
const READ_TIMEOUT = 5_000;
/** Milliseconds in which the client connects to the node that leads. */
const MOVE_TO_LEADER = 100;

export interface StreamRead {
  readonly events: readonly ResolvedEvent[];
  /** `none`: it never was, or was deleted. */
  readonly stream: 'present' | 'none' | 'tombstoned';
}

type Options = Parameters<EventStoreDBClient['readStream']>[1];

export const LAST_EVENT = { direction: BACKWARDS, fromRevision: END, maxCount: 1 } as const;

/**
 * A stream's events, always from the leader: another node may be behind what was answered. Throws
 * {@link EventStoreUnavailable}.
 */
export const readStream = async (client: EventStoreDBClient, stream: StreamName, options: Options, pause: Pause): Promise<StreamRead> => {
  const read = await readOnce(client, stream, options);
  if (read !== 'not-leader') return read;
  await pause(MOVE_TO_LEADER);
  const again = await readOnce(client, stream, options);
  if (again === 'not-leader') throw new EventStoreUnavailable('EventStoreDB cannot read: the leader is not known');
  return again;
};

const readOnce = async (client: EventStoreDBClient, stream: StreamName, options: Options): Promise<StreamRead | 'not-leader'> => {
  const reading = client.readStream(stream, { ...options, requiresLeader: true });
  reading.on('error', () => undefined); // told by the iteration
  try {
    return { events: await within(READ_TIMEOUT, collect(reading)), stream: 'present' };
  } catch (error) {
    reading.cancel().catch(() => undefined);
    switch (failureOf(error)) {
      case 'stream-not-found':
        return { events: [], stream: 'none' };
      case 'stream-deleted':
        return { events: [], stream: 'tombstoned' };
      case 'not-leader':
        return 'not-leader';
      case 'away':
        throw unavailable('read', error);
    }
  }
};

const collect = async (reading: AsyncIterable<ResolvedEvent>): Promise<ResolvedEvent[]> => {
  const events: ResolvedEvent[] = [];
  for await (const event of reading) events.push(event);
  return events;
};
