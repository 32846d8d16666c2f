import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';

import { type ExpectedRevision, NO_STREAM } from '../event-store.js';
import type { PreparedEvent } from '../prepare-append.js';

/** An event of ours, or a record of the store itself, which has no metadata. */
export type ProposedEvent = Omit<PreparedEvent, 'metadata'> & Partial<Pick<PreparedEvent, 'metadata'>>;

export interface AppendRequest {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly ProposedEvent[];
}

/** `refused`: it was not stored and never will be. `unknown`: it may be stored or not. */
export type AppendAnswer =
  | { readonly kind: 'stored'; readonly revision: number }
  | { readonly kind: 'conflict'; readonly actual: ExpectedRevision }
  | { readonly kind: 'tombstoned' }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * One append as one message; 1 MiB and its frame are far below the limit of 16 MiB that every server has. Without a deadline, which is a
 * time of day: with clocks that differ, the server would refuse everything. Without one it gives a write up after 2 s.
 */
export const appendMessage = (correlationId: string, { stream, expected, events }: AppendRequest): BatchAppendReq => {
  const options = new streams.BatchAppendReq.Options();
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream));
  options.setStreamIdentifier(identifier);
  if (expected === NO_STREAM) options.setNoStream(new empty.Empty());
  else options.setStreamPosition(String(expected));
  const message = new streams.BatchAppendReq();
  message.setCorrelationId(uuid(correlationId));
  message.setOptions(options);
  message.setProposedMessagesList(events.map(proposedMessage));
  message.setIsFinal(true);
  return message;
};

export const correlationIdOf = (answer: BatchAppendResp): string => {
  const id = answer.getCorrelationId();
  const structured = id?.getStructured();
  return structured ? uuidOf(structured.getMostSignificantBits(), structured.getLeastSignificantBits()) : (id?.getString() ?? '');
};

export const appendAnswer = (message: BatchAppendResp): AppendAnswer => {
  const success = message.getSuccess();
  if (success) return { kind: 'stored', revision: Number(success.getCurrentRevision()) };
  const error = message.getError();
  const details = error?.getDetails();
  const reason = error?.getMessage() ?? '';
  switch (details?.getTypeName()) {
    case 'event_store.client.WrongExpectedVersion':
      return { kind: 'conflict', actual: actualOf(shared.WrongExpectedVersion.deserializeBinary(details.getValue_asU8())) };
    case 'event_store.client.StreamDeleted':
      return { kind: 'tombstoned' };
    case 'event_store.client.MaximumAppendSizeExceeded':
    case 'event_store.client.MaximumAppendEventSizeExceeded': // 24.10.4 and later, where an operator has set it
      return { kind: 'too-large' };
    case 'event_store.client.AccessDenied':
    case 'event_store.client.BadRequest':
      return { kind: 'refused', reason: `${details.getTypeName()} ${reason}` };
    default: // a time-out, a server that is starting, too busy or has no leader
      return { kind: 'unknown', reason: reason || (details?.getTypeName() ?? 'an answer without an outcome') };
  }
};

const actualOf = (conflict: { hasCurrentStreamRevision(): boolean; getCurrentStreamRevision(): string }): ExpectedRevision =>
  conflict.hasCurrentStreamRevision() ? Number(conflict.getCurrentStreamRevision()) : NO_STREAM;

const proposedMessage = ({ id, type, data, metadata }: ProposedEvent) => {
  const message = new streams.BatchAppendReq.ProposedMessage();
  message.setId(uuid(id));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  message.setData(Buffer.from(data));
  if (metadata !== undefined) message.setCustomMetadata(Buffer.from(metadata));
  return message;
};

const uuid = (id: string) => {
  const message = new shared.UUID();
  message.setString(id);
  return message;
};

/** A UUID from its two halves, each a signed integer. */
export const uuidOf = (mostSignificantBits: string, leastSignificantBits: string): string => {
  const hex = [mostSignificantBits, leastSignificantBits].map((bits) => BigInt.asUintN(64, BigInt(bits)).toString(16).padStart(16, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};
