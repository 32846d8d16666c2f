import { BACKWARDS, END, type EventStoreDBClient, FORWARDS, START } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';

import type { StreamName } from '../event-store.js';
import { openRead } from './client.js';
import { type Connection, SILENCE } from './connection.js';
import { failureOf, unavailable } from './failure.js';
import { readAnswer, type StoredRecord } from './stored-record.js';

/** Milliseconds for a whole read. The client itself would wait for ever. */
const READ_TIMEOUT = 5_000;

export interface StreamRead {
  readonly events: readonly { readonly event: StoredRecord }[];
  /** `none`: it never was, or was deleted. */
  readonly stream: 'present' | 'none' | 'tombstoned';
}

type Options = Pick<NonNullable<Parameters<EventStoreDBClient['readStream']>[1]>, 'direction' | 'fromRevision' | 'maxCount'>;

export const LAST_EVENT = { direction: BACKWARDS, fromRevision: END, maxCount: 1 } as const;

/**
 * A stream's events, always from the leader: another node may lag behind acknowledged events. Throws
 * {@link EventStoreUnavailable}.
 */
export const readStream = async (connection: Connection, stream: StreamName, options: Options, budget = READ_TIMEOUT): Promise<StreamRead> => {
  try {
    const read = (client: EventStoreDBClient, alive: () => void) => readOnce(client, stream, options, alive);
    return await connection.run(read, { budget, silence: SILENCE });
  } catch (error) {
    if (failureOf(error) === 'stream-deleted') return { events: [], stream: 'tombstoned' };
    throw unavailable('read', error);
  }
};

/** By the call itself: the client's own command puts a stream and an iteration of it between. */
const readOnce = async (client: EventStoreDBClient, stream: StreamName, options: Options, alive: () => void): Promise<StreamRead> => {
  const call = await openRead(client, requestOf(stream, options));
  const ended = Promise.withResolvers<void>();
  const events: { readonly event: StoredRecord }[] = [];
  let isThere = true;
  call.on('data', (message) => {
    alive();
    try {
      const { record, isStreamNotFound } = readAnswer(message);
      if (isStreamNotFound) isThere = false;
      if (record) events.push({ event: record });
    } catch (error) {
      ended.reject(error);
      call.cancel();
    }
  });
  call.on('error', ended.reject);
  call.on('end', ended.resolve);
  await ended.promise;
  return { events, stream: isThere ? 'present' : 'none' };
};

const requestOf = (stream: StreamName, { direction = FORWARDS, fromRevision = START, maxCount = Number.MAX_SAFE_INTEGER }: Options): ReadReq => {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream));
  const selection = new streams.ReadReq.Options.StreamOptions();
  selection.setStreamIdentifier(identifier);
  if (fromRevision === START) selection.setStart(new shared.Empty());
  else if (fromRevision === END) selection.setEnd(new shared.Empty());
  else selection.setRevision(String(fromRevision));
  const uuids = new streams.ReadReq.Options.UUIDOption();
  uuids.setString(new shared.Empty());
  const { FORWARDS: forwards, BACKWARDS: backwards } = streams.ReadReq.Options.ReadDirection;
  const options = new streams.ReadReq.Options();
  options.setStream(selection);
  options.setReadDirection(direction === BACKWARDS ? backwards : forwards);
  options.setResolveLinks(false);
  options.setCount(String(maxCount));
  options.setNoFilter(new shared.Empty());
  options.setUuidOption(uuids);
  const request = new streams.ReadReq();
  request.setOptions(options);
  return request;
};
