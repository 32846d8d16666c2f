import type { EventStoreDBClient } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';

import { openRead } from './client.js';
import { failureOf } from './failure.js';

/** The protocol from which on the server ends a read forwards with the last revision of the stream. */
const COMPATIBILITY = 1;

/**
 * The last revision of the stream that reads on the leader know, also when that event has expired; `none` when they know no stream, as
 * after a deletion. Throws the server's refusal of the read.
 */
export const lastReadable = async (client: EventStoreDBClient, stream: string, from: number): Promise<number | 'none' | 'tombstoned'> => {
  const call = await openRead(client, readRequest(stream, from));
  const answered = Promise.withResolvers<number | 'none'>();
  call.on('data', (answer) => {
    const message = streams.ReadResp.deserializeBinary(answer);
    if (message.hasStreamNotFound()) answered.resolve('none');
    else if (message.hasLastStreamPosition()) answered.resolve(Number(message.getLastStreamPosition()));
  });
  call.on('error', answered.reject);
  call.on('end', () => answered.reject(new Error('the read did not tell the last revision')));
  try {
    return await answered.promise;
  } catch (error) {
    if (failureOf(error) === 'stream-deleted') return 'tombstoned';
    throw error;
  }
};

const readRequest = (stream: string, from: number) => {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream));
  const selection = new streams.ReadReq.Options.StreamOptions();
  selection.setStreamIdentifier(identifier);
  selection.setRevision(String(from));
  const uuids = new streams.ReadReq.Options.UUIDOption();
  uuids.setString(new shared.Empty());
  const control = new streams.ReadReq.Options.ControlOption();
  control.setCompatibility(COMPATIBILITY);
  const options = new streams.ReadReq.Options();
  options.setStream(selection);
  options.setReadDirection(streams.ReadReq.Options.ReadDirection.FORWARDS);
  options.setResolveLinks(false);
  options.setCount('1');
  options.setNoFilter(new shared.Empty());
  options.setUuidOption(uuids);
  options.setControlOption(control);
  const request = new streams.ReadReq();
  request.setOptions(options);
  return request;
};
