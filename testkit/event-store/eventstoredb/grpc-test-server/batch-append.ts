import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerDuplexStream } from '@grpc/grpc-js';

import type { Behaviour } from './dialect.js';
import { ANY, NO_STREAM, type Outcome, type ProposedEvent, STREAM_EXISTS } from './log-entries.js';
import {
  accessDeniedStatus,
  badRequestStatus,
  batchError,
  batchSuccess,
  eventTooLargeStatus,
  notReadyStatus,
  respond,
  streamDeletedStatus,
  textOf,
  timeoutStatus,
  tooLargeStatus,
  wrongExpectedVersionStatus,
} from './messages.js';
import type { Node } from './node.js';

type Call = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;
type Options = NonNullable<ReturnType<BatchAppendReq['getOptions']>>;

/** Milliseconds after which the real server gives a write up, also before the deadline of the caller. */
export const WRITE_TIMEOUT = 2_000;

interface Draft {
  readonly stream: string;
  readonly expected: bigint;
  readonly timeout: number;
  readonly events: ProposedEvent[];
}

/** One call of BatchAppend: many appends, each answered by its correlation id. One that fails does not disturb the others. */
export const serveBatchAppend = (call: Call, { writes, faults, access, behaviour }: Node): void => {
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
    if (!access.mayWrite(call.metadata, draft.stream)) return refuse(batchError(accessDeniedStatus()));
    if (draft.timeout <= 0) return refuse(batchError(timeoutStatus()));
    draft.events.push(...request.getProposedMessagesList().map(proposedEvent));
    const fault = faultOf(draft.stream, draft.events);
    if (fault !== undefined) return refuse(batchError(badRequestStatus(fault)));
    const excess = excessOf(draft.events, behaviour);
    if (excess === 'append') return refuse(batchError(tooLargeStatus(behaviour.maxAppendSize)));
    if (excess === 'event') return refuse(batchError(eventTooLargeStatus()));
    if (!request.getIsFinal()) return;
    drafts.delete(correlationId);
    const fate = faults.fate();
    if (fate === 'refused') refuse(batchError(notReadyStatus()));
    if (fate !== 'kept') return;
    writes.append(draft.stream, draft.expected, draft.events, (outcome) => {
      if (outcome.result === 'pending') setTimeout(() => answer(correlationId, draft.stream, batchError(timeoutStatus())), draft.timeout);
      else faults.answer(() => answer(correlationId, draft.stream, messageOf(outcome, draft)));
    });
  });
  call.on('end', () => call.end());
  call.on('error', () => call.end());
};

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What of the append is too large for the server. */
export const excessOf = (events: readonly ProposedEvent[], { sizeOf, maxAppendSize, maxEventSize }: Behaviour): 'append' | 'event' | undefined => {
  const sizes = events.map(sizeOf);
  if (sizes.some((size) => size > maxEventSize)) return 'event';
  return sizes.reduce((sum, size) => sum + size, 0) > maxAppendSize ? 'append' : undefined;
};

/** Why the server refuses the append without looking into its log. */
export const faultOf = (stream: string, events: readonly ProposedEvent[]): string | undefined => {
  if (stream === '') return 'Value cannot be null. (streamId)';
  const bad = events.find(({ id }) => !UUID.test(id));
  if (bad) return `Unrecognized Guid format: ${bad.id}`;
  return events.some(({ type }) => type === '') ? 'Empty eventType provided.' : undefined;
};

const draftOf = (options: Options): Draft => ({
  stream: textOf(options.getStreamIdentifier()!.getStreamName_asB64()),
  expected: options.hasStreamPosition()
    ? BigInt(options.getStreamPosition())
    : options.hasNoStream()
      ? NO_STREAM
      : options.hasStreamExists()
        ? STREAM_EXISTS
        : ANY,
  timeout: Math.min(WRITE_TIMEOUT, (options.getDeadline()?.toDate().getTime() ?? Infinity) - Date.now()),
  events: [],
});

const proposedEvent = (message: ReturnType<BatchAppendReq['getProposedMessagesList']>[number]): ProposedEvent => ({
  id: message.getId()!.getString().toLowerCase(),
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
    case 'not-leader':
      return batchError(notReadyStatus());
  }
};
