import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerDuplexStream } from '@grpc/grpc-js';

import type { Faults } from './faults.js';
import type { Log } from './log.js';
import { ANY, NO_STREAM, type Outcome, type ProposedEvent, STREAM_EXISTS } from './log-entries.js';
import { badRequestStatus, batchError, batchSuccess, notReadyStatus, respond, streamDeletedStatus, textOf, timeoutStatus, tooLargeStatus, wrongExpectedVersionStatus } from './messages.js';

type Call = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;
type Options = NonNullable<ReturnType<BatchAppendReq['getOptions']>>;

/** EventStoreDB's default limit of one append, in bytes on its disk. */
export const MAX_APPEND_SIZE = 1024 * 1024;
/** Milliseconds after which the real server gives a write up, whatever the deadline of the caller. */
const WRITE_TIMEOUT = 2_000;

interface Draft {
  readonly stream: string;
  readonly expected: bigint;
  readonly timeout: number;
  readonly events: ProposedEvent[];
}

/** One call of BatchAppend: many appends, each answered by its correlation id. One that fails does not disturb the others. */
export const serveBatchAppend = (call: Call, log: Log, faults: Faults): void => {
  const drafts = new Map<string, Draft>();
  const answer = (correlationId: string, stream: string, message: BatchAppendResp): void => {
    if (!call.cancelled) call.write(respond(message, correlationId, stream));
  };

  call.on('data', (request: BatchAppendReq) => {
    const correlationId = request.getCorrelationId()!.getString();
    const options = request.getOptions();
    if (options) drafts.set(correlationId, draftOf(options));
    const draft = drafts.get(correlationId);
    if (!draft) return;
    const refuse = (message: BatchAppendResp): void => {
      drafts.delete(correlationId);
      answer(correlationId, draft.stream, message);
    };
    if (draft.timeout <= 0) return refuse(batchError(timeoutStatus()));
    draft.events.push(...request.getProposedMessagesList().map(proposedEvent));
    const bad = draft.events.find(({ id }) => !UUID.test(id));
    if (bad) return refuse(batchError(badRequestStatus(`Unrecognized Guid format: ${bad.id}`)));
    if (draft.events.reduce((sum, event) => sum + sizeOnDisk(event), 0) > MAX_APPEND_SIZE) return refuse(batchError(tooLargeStatus(MAX_APPEND_SIZE)));
    if (!request.getIsFinal()) return;
    drafts.delete(correlationId);
    const fate = faults.fate();
    if (fate === 'refused') refuse(batchError(notReadyStatus()));
    if (fate !== 'kept') return;
    log.append(draft.stream, draft.expected, draft.events, (outcome) => {
      if (outcome.result === 'pending') setTimeout(() => answer(correlationId, draft.stream, batchError(timeoutStatus())), draft.timeout);
      else faults.answer(() => answer(correlationId, draft.stream, messageOf(outcome, draft)));
    });
  });
  call.on('end', () => call.end());
  call.on('error', () => call.end());
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const sizeOnDisk = ({ type, data, customMetadata }: ProposedEvent): number => 2 * type.length + data.length + customMetadata.length;

const draftOf = (options: Options): Draft => ({
  stream: textOf(options.getStreamIdentifier()!.getStreamName_asB64()),
  expected: options.hasStreamPosition() ? BigInt(options.getStreamPosition()) : options.hasNoStream() ? NO_STREAM : options.hasStreamExists() ? STREAM_EXISTS : ANY,
  timeout: Math.min(WRITE_TIMEOUT, (options.getDeadline()?.toDate().getTime() ?? Infinity) - Date.now()),
  events: [],
});

const proposedEvent = (message: ReturnType<BatchAppendReq['getProposedMessagesList']>[number]): ProposedEvent => ({
  id: message.getId()!.getString(),
  type: message.getMetadataMap().get('type') ?? '',
  isJson: message.getMetadataMap().get('content-type') === 'application/json',
  data: message.getData_asU8(),
  customMetadata: message.getCustomMetadata_asU8(),
});

const messageOf = (outcome: Exclude<Outcome, { result: 'pending' }>, { stream, expected }: Draft): BatchAppendResp => {
  switch (outcome.result) {
    case 'success':
      return batchSuccess(outcome.revision, outcome.position);
    case 'wrong-expected-version':
      return batchError(wrongExpectedVersionStatus(outcome.current, expected));
    case 'stream-deleted':
      return batchError(streamDeletedStatus(stream));
  }
};
