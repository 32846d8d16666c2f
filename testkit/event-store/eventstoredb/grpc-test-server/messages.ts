import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import type { BatchAppendResp, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { Metadata, status as codes, type StatusObject } from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';

import { NO_STREAM, type StoredEvent } from './log-entries.js';

type Bytes = Uint8Array | string;

export const textOf = (bytes: Bytes): string => Buffer.from(bytes as string, 'base64').toString('utf8');

const identifier = (stream: string) => {
  const message = new shared.StreamIdentifier();
  message.setStreamName(Buffer.from(stream));
  return message;
};

const uuid = (id: string) => {
  const message = new shared.UUID();
  message.setString(id);
  return message;
};

/** .NET ticks since the Unix epoch: 100 nanoseconds. */
const ticks = (at: number): string => `${BigInt(at) * 10_000n}`;

export const eventMessage = (event: StoredEvent): ReadResp => {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent();
  recorded.setId(uuid(event.id));
  recorded.setStreamIdentifier(identifier(event.stream));
  recorded.setStreamRevision(`${event.revision}`);
  recorded.setCommitPosition(`${event.position}`);
  recorded.setPreparePosition(`${event.position}`);
  recorded.setData(event.data);
  recorded.setCustomMetadata(event.customMetadata);
  const metadata = recorded.getMetadataMap();
  metadata.set('type', event.type);
  metadata.set('created', ticks(event.at));
  metadata.set('content-type', event.isJson ? 'application/json' : 'application/octet-stream');
  const read = new streams.ReadResp.ReadEvent();
  read.setEvent(recorded);
  read.setCommitPosition(`${event.position}`);
  const message = new streams.ReadResp();
  message.setEvent(read);
  return message;
};

export const confirmation = (): ReadResp => {
  const message = new streams.ReadResp();
  const confirmed = new streams.ReadResp.SubscriptionConfirmation();
  confirmed.setSubscriptionId(crypto.randomUUID());
  message.setConfirmation(confirmed);
  return message;
};

export const caughtUp = (): ReadResp => {
  const message = new streams.ReadResp();
  message.setCaughtUp(new streams.ReadResp.CaughtUp());
  return message;
};

export const checkpoint = (position: bigint, prepare: bigint): ReadResp => {
  const message = new streams.ReadResp();
  const reached = new streams.ReadResp.Checkpoint();
  reached.setCommitPosition(`${position}`);
  reached.setPreparePosition(`${prepare}`);
  message.setCheckpoint(reached);
  return message;
};

export const streamNotFound = (stream: string): ReadResp => {
  const message = new streams.ReadResp();
  const missing = new streams.ReadResp.StreamNotFound();
  missing.setStreamIdentifier(identifier(stream));
  message.setStreamNotFound(missing);
  return message;
};

export const lastStreamPosition = (revision: bigint): ReadResp => {
  const message = new streams.ReadResp();
  message.setLastStreamPosition(`${revision}`);
  return message;
};

export const batchSuccess = (revision: bigint, position: bigint | undefined): BatchAppendResp => {
  const success = new streams.BatchAppendResp.Success();
  if (revision === NO_STREAM) success.setNoStream(new empty.Empty());
  else success.setCurrentRevision(`${revision}`);
  if (position === undefined) success.setNoPosition(new empty.Empty());
  else {
    const all = new shared.AllStreamPosition();
    all.setCommitPosition(`${position}`);
    all.setPreparePosition(`${position}`);
    success.setPosition(all);
  }
  const message = new streams.BatchAppendResp();
  message.setSuccess(success);
  return message;
};

export const batchError = (error: Status): BatchAppendResp => {
  const message = new streams.BatchAppendResp();
  message.setError(error);
  return message;
};

const errorStatus = (code: codes, text: string, typeName: string, details: { serializeBinary(): Uint8Array }): Status => {
  const packed = new any.Any();
  packed.pack(details.serializeBinary(), typeName);
  const message = new status.Status();
  message.setCode(code as number);
  message.setMessage(text);
  message.setDetails(packed);
  return message;
};

export const wrongExpectedVersionStatus = (current: bigint, expected: bigint): Status => {
  const details = new shared.WrongExpectedVersion();
  if (current === NO_STREAM) details.setCurrentNoStream(new empty.Empty());
  else details.setCurrentStreamRevision(`${current}`);
  if (expected === NO_STREAM) details.setExpectedNoStream(new empty.Empty());
  else if (expected >= 0n) details.setExpectedStreamPosition(`${expected}`);
  else details.setExpectedAny(new empty.Empty());
  return errorStatus(codes.FAILED_PRECONDITION, 'Append failed due to WrongExpectedVersion.', 'event_store.client.WrongExpectedVersion', details);
};

export const streamDeletedStatus = (stream: string): Status => {
  const details = new shared.StreamDeleted();
  details.setStreamIdentifier(identifier(stream));
  return errorStatus(codes.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, 'event_store.client.StreamDeleted', details);
};

export const tooLargeStatus = (maximum: number): Status => {
  const details = new shared.MaximumAppendSizeExceeded();
  details.setMaxappendsize(maximum);
  return errorStatus(codes.INVALID_ARGUMENT, `Maximum Append Size of ${maximum} Exceeded.`, 'event_store.client.MaximumAppendSizeExceeded', details);
};

/** Of a message that the client's generated classes do not have. */
export const eventTooLargeStatus = (): Status =>
  errorStatus(codes.INVALID_ARGUMENT, 'MaximumAppendEventSizeExceeded', 'event_store.client.MaximumAppendEventSizeExceeded', new empty.Empty());

export const timeoutStatus = (): Status => errorStatus(codes.DEADLINE_EXCEEDED, 'Timeout', 'event_store.client.Timeout', new shared.Timeout());

export const badRequestStatus = (text: string): Status => {
  const details = new shared.BadRequest();
  details.setMessage(text);
  return errorStatus(codes.INVALID_ARGUMENT, text, 'event_store.client.BadRequest', details);
};

export const accessDeniedStatus = (): Status =>
  errorStatus(codes.PERMISSION_DENIED, 'Access Denied', 'event_store.client.AccessDenied', new shared.AccessDenied());

export const notReadyStatus = (): Status => errorStatus(codes.OK, 'Server Is Not Ready', 'google.protobuf.Empty', new empty.Empty());

export const respond = (message: BatchAppendResp, correlationId: string, stream: string): BatchAppendResp => {
  message.setCorrelationId(uuid(correlationId));
  message.setStreamIdentifier(identifier(stream));
  return message;
};

/** An RPC's failure as the real server reports it: the trailers name the kind. */
export const failure = (code: codes, details: string, trailers: Readonly<Record<string, string>> = {}): StatusObject => {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return { code, details, metadata };
};

export const streamDeletedFailure = (stream: string): StatusObject =>
  failure(codes.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, { exception: 'stream-deleted', 'stream-name': stream });

export const wrongExpectedVersionFailure = (stream: string, expected: bigint, actual: bigint): StatusObject =>
  failure(
    codes.FAILED_PRECONDITION,
    `failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${expected}, Actual version: ${actual}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': stream,
      'expected-version': `${expected}`,
      'actual-version': `${actual}`,
    },
  );

export const tooLargeFailure = (maximum: number): StatusObject =>
  failure(codes.INVALID_ARGUMENT, `Maximum Append Size of ${maximum} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': `${maximum}`,
  });

export const eventTooLargeFailure = (): StatusObject =>
  failure(codes.INVALID_ARGUMENT, 'An event exceeds the maximum size.', { exception: 'maximum-append-event-size-exceeded' });

export const accessDeniedFailure = (): StatusObject => failure(codes.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });

/** For a call that asks for the leader, on a node that knows it or does not. */
export const notLeaderFailure = (leader: number | undefined): StatusObject =>
  leader === undefined
    ? failure(codes.UNAVAILABLE, 'Server Is Not Ready')
    : failure(codes.NOT_FOUND, 'Leader info available', {
        exception: 'not-leader',
        'leader-endpoint-host': '127.0.0.1',
        'leader-endpoint-port': `${leader}`,
      });
