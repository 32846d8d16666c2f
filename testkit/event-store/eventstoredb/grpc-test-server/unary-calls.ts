import type { AppendReq, AppendResp, DeleteReq, DeleteResp, TombstoneReq, TombstoneResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { type sendUnaryData, type ServerReadableStream, type ServerUnaryCall, status as codes } from '@grpc/grpc-js';

import { excessOf, faultOf } from './batch-append.js';
import { ANY, NO_STREAM, type Outcome, type ProposedEvent, STREAM_EXISTS } from './log-entries.js';
import {
  accessDeniedFailure,
  eventTooLargeFailure,
  failure,
  notLeaderFailure,
  streamDeletedFailure,
  textOf,
  tooLargeFailure,
  wrongExpectedVersionFailure,
} from './messages.js';
import type { Node } from './node.js';

interface Expectation {
  hasRevision(): boolean;
  getRevision(): string;
  hasNoStream(): boolean;
  hasStreamExists(): boolean;
}

const expectedOf = (options: Expectation): bigint =>
  options.hasRevision() ? BigInt(options.getRevision()) : options.hasNoStream() ? NO_STREAM : options.hasStreamExists() ? STREAM_EXISTS : ANY;

/** The unary append, which the client uses when a call brings its own credentials. */
export const serveAppend = (
  call: ServerReadableStream<AppendReq, AppendResp>,
  reply: sendUnaryData<AppendResp>,
  { writes, faults, access, behaviour }: Node,
): void => {
  let options: AppendReq.Options | undefined;
  const events: ProposedEvent[] = [];
  call.on('data', (request: AppendReq) => {
    options = request.getOptions() ?? options;
    const proposed = request.getProposedMessage();
    if (proposed) events.push(proposedEvent(proposed));
  });
  call.on('end', () => {
    if (!options || faults.fate() !== 'kept') return;
    const stream = textOf(options.getStreamIdentifier()!.getStreamName_asB64());
    if (!access.mayWrite(call.metadata, stream)) return reply(accessDeniedFailure());
    const fault = faultOf(stream, events);
    if (fault !== undefined) return reply(failure(codes.INVALID_ARGUMENT, fault));
    const excess = excessOf(events, behaviour);
    if (excess !== undefined) return reply(excess === 'event' ? eventTooLargeFailure() : tooLargeFailure(behaviour.maxAppendSize));
    const expected = expectedOf(options);
    writes.append(stream, expected, events, (outcome) => faults.answer(() => answerAppend(reply, outcome, stream, expected)));
  });
};

const proposedEvent = (message: AppendReq.ProposedMessage): ProposedEvent => ({
  id: message.getId()!.getString().toLowerCase(),
  type: message.getMetadataMap().get('type') ?? '',
  isJson: message.getMetadataMap().get('content-type') === 'application/json',
  data: message.getData_asU8(),
  customMetadata: message.getCustomMetadata_asU8(),
});

const answerAppend = (reply: sendUnaryData<AppendResp>, outcome: Outcome, stream: string, expected: bigint): void => {
  const message = new streams.AppendResp();
  if (outcome.result === 'pending') return;
  if (outcome.result === 'not-leader') return reply(notLeaderFailure(undefined));
  if (outcome.result === 'stream-deleted') return reply(streamDeletedFailure(stream));
  if (outcome.result === 'success') {
    const success = new streams.AppendResp.Success();
    success.setCurrentRevision(`${outcome.revision}`);
    if (outcome.position === undefined) success.setNoPosition(new shared.Empty());
    else {
      const position = new streams.AppendResp.Position();
      position.setCommitPosition(`${outcome.position}`);
      position.setPreparePosition(`${outcome.position}`);
      success.setPosition(position);
    }
    message.setSuccess(success);
  } else {
    const wrong = new streams.AppendResp.WrongExpectedVersion();
    if (outcome.current === NO_STREAM) wrong.setCurrentNoStream(new shared.Empty());
    else wrong.setCurrentRevision(`${outcome.current}`);
    if (expected >= 0n) wrong.setExpectedRevision(`${expected}`);
    else wrong.setExpectedNoStream(new shared.Empty());
    message.setWrongExpectedVersion(wrong);
  }
  reply(null, message);
};

export const serveDelete = (call: ServerUnaryCall<DeleteReq, DeleteResp>, reply: sendUnaryData<DeleteResp>, { writes, access }: Node): void => {
  const options = call.request.getOptions()!;
  const stream = textOf(options.getStreamIdentifier()!.getStreamName_asB64());
  const expected = expectedOf(options);
  if (!access.mayWrite(call.metadata, stream)) return reply(accessDeniedFailure());
  writes.delete(stream, expected, (outcome) => {
    const message = new streams.DeleteResp();
    answerErasure(reply, outcome, stream, expected, message, (at) => message.setPosition(placed(new streams.DeleteResp.Position(), at)));
  });
};

export const serveTombstone = (
  call: ServerUnaryCall<TombstoneReq, TombstoneResp>,
  reply: sendUnaryData<TombstoneResp>,
  { writes, access }: Node,
): void => {
  const options = call.request.getOptions()!;
  const stream = textOf(options.getStreamIdentifier()!.getStreamName_asB64());
  const expected = expectedOf(options);
  if (!access.mayWrite(call.metadata, stream)) return reply(accessDeniedFailure());
  writes.tombstone(stream, expected, (outcome) => {
    const message = new streams.TombstoneResp();
    answerErasure(reply, outcome, stream, expected, message, (at) => message.setPosition(placed(new streams.TombstoneResp.Position(), at)));
  });
};

const answerErasure = <Response extends DeleteResp | TombstoneResp>(
  reply: sendUnaryData<Response>,
  outcome: Outcome,
  stream: string,
  expected: bigint,
  message: Response,
  setPosition: (position: bigint) => void,
): void => {
  if (outcome.result === 'stream-deleted') return reply(streamDeletedFailure(stream));
  if (outcome.result === 'not-leader') return reply(notLeaderFailure(undefined));
  if (outcome.result === 'wrong-expected-version') return reply(wrongExpectedVersionFailure(stream, expected, outcome.current));
  if (outcome.result === 'success' && outcome.position !== undefined) setPosition(outcome.position);
  reply(null, message);
};

interface WirePosition {
  setCommitPosition(position: string): unknown;
  setPreparePosition(position: string): unknown;
}

const placed = <Place extends WirePosition>(place: Place, position: bigint): Place => {
  place.setCommitPosition(`${position}`);
  place.setPreparePosition(`${position}`);
  return place;
};
