import { BACKWARDS, END, type EventStoreDBClient, type ResolvedEvent } from '@eventstore/db-client';

import type { StreamName } from '../event-store.js';
import { type Connection, SILENCE } from './connection.js';
import { failureOf, unavailable } from './failure.js';

/** Milliseconds for a whole read. The client itself would wait for ever. */
const READ_TIMEOUT = 5_000;

export interface StreamRead {
  readonly events: readonly ResolvedEvent[];
  /** `none`: it never was, or was deleted. */
  readonly stream: 'present' | 'none' | 'tombstoned';
}

type Options = Parameters<EventStoreDBClient['readStream']>[1];

export const LAST_EVENT = { direction: BACKWARDS, fromRevision: END, maxCount: 1 } as const;

/**
 * A stream's events, always from the leader: another node may lag behind acknowledged events. Throws
 * {@link EventStoreUnavailable}.
 */
export const readStream = async (connection: Connection, stream: StreamName, options: Options, budget = READ_TIMEOUT): Promise<StreamRead> => {
  try {
    const read = (client: EventStoreDBClient, alive: () => void) => readOnce(client, stream, options, alive);
    return { events: await connection.run(read, { budget, silence: SILENCE }), stream: 'present' };
  } catch (error) {
    switch (failureOf(error)) {
      case 'stream-not-found':
        return { events: [], stream: 'none' };
      case 'stream-deleted':
        return { events: [], stream: 'tombstoned' };
      default:
        throw unavailable('read', error);
    }
  }
};

const readOnce = async (client: EventStoreDBClient, stream: StreamName, options: Options, alive: () => void): Promise<ResolvedEvent[]> => {
  const reading = client.readStream(stream, { ...options, requiresLeader: true });
  reading.on('error', () => undefined); // the iteration throws it
  const events: ResolvedEvent[] = [];
  try {
    for await (const event of reading) {
      alive();
      events.push(event);
    }
    return events;
  } catch (error) {
    reading.cancel().catch(() => undefined);
    throw error;
  }
};
