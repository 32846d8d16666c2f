import type { AppendReq, AppendResp, DeleteReq, DeleteResp, TombstoneReq, TombstoneResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { sendUnaryData, ServerReadableStream, ServerUnaryCall } from '@grpc/grpc-js';

import { MAX_APPEND_SIZE, sizeOnDisk } from './batch-append.js';
import type { Faults } from './faults.js';
import type { Log } from './log.js';
import { ANY, NO_STREAM, type Outcome, type ProposedEvent, STREAM_EXISTS } from './log-entries.js';
import { streamDeletedFailure, textOf, tooLargeFailure, wrongExpectedVersionFailure } from './messages.js';

interface Expectation {
  hasRevision(): boolean;
  getRevision(): string;
  hasNoStream(): boolean;
  hasStreamExists(): boolean;
}

const expectedOf = (options: Expectation): bigint =>
  options.hasRevision() ? BigInt(options.getRevision()) : options.hasNoStream() ? NO_STREAM : options.hasStreamExists() ? STREAM_EXISTS : ANY;

/** The append of its own call: what the client uses when a call brings its own credentials. */
export const serveAppend = (call: ServerReadableStream<AppendReq, AppendResp>, reply: sendUnaryData<AppendResp>, log: Log, faults: Faults): void => {
  let options: AppendReq.Options | undefined;
  const events: ProposedEvent[] = [];
  call.on('data', (request: AppendReq) => {
    options = request.getOptions() ?? options;
    const proposed = request.getProposedMessage();
    if (proposed) events.push(proposedEvent(proposed));
  });
  call.on('end', () => {
    if (!options || faults.fate() !== 'kept') return;
    if (events.reduce((sum, event) => sum + sizeOnDisk(event), 0) > MAX_APPEND_SIZE) return reply(tooLargeFailure(MAX_APPEND_SIZE));
    const stream = textOf(options.getStreamIdentifier()!.getStreamName_asB64());
    const expected = expectedOf(options);
    log.append(stream, expected, events, (outcome) => faults.answer(() => answerAppend(reply, outcome, stream, expected)));
  });
};

const proposedEvent = (message: AppendReq.ProposedMessage): ProposedEvent => ({
  id: message.getId()!.getString(),
  type: message.getMetadataMap().get('type') ?? '',
  isJson: message.getMetadataMap().get('content-type') === 'application/json',
  data: message.getData_asU8(),
  customMetadata: message.getCustomMetadata_asU8(),
});

const answerAppend = (reply: sendUnaryData<AppendResp>, outcome: Outcome, stream: string, expected: bigint): void => {
  const message = new streams.AppendResp();
  if (outcome.result === 'pending') return;
  if (outcome.result === 'stream-deleted') return reply(streamDeletedFailure(stream));
  if (outcome.result === 'success') {
    const success = new streams.AppendResp.Success();
    success.setCurrentRevision(`${outcome.revision}`);
    const position = new streams.AppendResp.Position();
    position.setCommitPosition(`${outcome.position}`);
    position.setPreparePosition(`${outcome.position}`);
    success.setPosition(position);
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

export const serveDelete = (call: ServerUnaryCall<DeleteReq, DeleteResp>, reply: sendUnaryData<DeleteResp>, log: Log): void => {
  const options = call.request.getOptions()!;
  const stream = textOf(options.getStreamIdentifier()!.getStreamName_asB64());
  const expected = expectedOf(options);
  log.delete(stream, expected, (outcome) => answerErasure(reply, outcome, stream, expected, new streams.DeleteResp()));
};

export const serveTombstone = (call: ServerUnaryCall<TombstoneReq, TombstoneResp>, reply: sendUnaryData<TombstoneResp>, log: Log): void => {
  const options = call.request.getOptions()!;
  const stream = textOf(options.getStreamIdentifier()!.getStreamName_asB64());
  const expected = expectedOf(options);
  log.tombstone(stream, expected, (outcome) => answerErasure(reply, outcome, stream, expected, new streams.TombstoneResp()));
};

const answerErasure = <Response extends DeleteResp | TombstoneResp>(
  reply: sendUnaryData<Response>,
  outcome: Outcome,
  stream: string,
  expected: bigint,
  message: Response,
): void => {
  if (outcome.result === 'stream-deleted') return reply(streamDeletedFailure(stream));
  if (outcome.result === 'wrong-expected-version') return reply(wrongExpectedVersionFailure(stream, expected, outcome.current));
  message.setNoPosition(new shared.Empty());
  reply(null, message);
};
