import { Metadata, type sendUnaryData, type ServerUnaryCall, status as codes, type StatusObject } from '@grpc/grpc-js';

import { UUID, WRITE_TIMEOUT } from './batch-append.js';
import type { Behaviour } from './dialect.js';
import { ANY, NO_STREAM, type ProposedEvent, type RecordsOutcome, type RecordsWrite, STREAM_EXISTS } from './log-entries.js';
import type { Node } from './node.js';
import { SOFT_DELETED, TOMBSTONED } from './record-checks.js';
import { metadataOf } from './record-metadata.js';
import { type AppendRecord, type AppendRecordsRequest, type AppendRecordsResponse, type ConsistencyCheck, encoded } from './records-protocol.js';

type Call = ServerUnaryCall<AppendRecordsRequest, AppendRecordsResponse>;
type Streams = RecordsWrite['checks'];

const JSON_FORMAT = 1;

/** `AppendRecords` of KurrentDB 26.1: its validators, its limits, its rights and its answers, as its sources have them. */
export const serveAppendRecords = (call: Call, reply: sendUnaryData<AppendRecordsResponse>, node: Node): void => {
  const { log, cluster, faults, access, behaviour } = node;
  const { records = [], checks = [] } = call.request;
  const fault = faultOf(records, checks);
  if (fault !== undefined) return reply(failed(codes.INVALID_ARGUMENT, fault));
  const write = writeOf(records, checks);
  const tooLarge = excessOf(write, behaviour);
  if (tooLarge) return reply(tooLarge);
  const written = new Set(write.records.map(({ check }) => check));
  const isAllowed = write.checks.every(({ stream }, index) =>
    written.has(index) ? access.mayWrite(call.metadata, stream) : access.mayRead(call.metadata, stream),
  );
  if (!isAllowed) return reply(accessDenied());
  if (!cluster.writesItself) return reply(notLeader(cluster.leader));
  const fate = faults.fate();
  if (fate === 'refused') return reply(failed(codes.UNAVAILABLE, 'Server is not ready'));
  if (fate !== 'kept') return;
  log.appendRecords(write, (outcome) => {
    // The server drops the repetition of a write that is not readable yet.
    if (outcome.result === 'pending') setTimeout(() => reply(failed(codes.DEADLINE_EXCEEDED, 'AppendRecords timed out')), WRITE_TIMEOUT);
    else faults.answer(() => answer(reply, outcome, write.checks));
  });
};

const answer = (reply: sendUnaryData<AppendRecordsResponse>, outcome: Exclude<RecordsOutcome, { result: 'pending' }>, checks: Streams): void => {
  switch (outcome.result) {
    case 'success': {
      const revisions = [...outcome.revisions].map(([check, revision]) => ({ stream: checks[check]!.stream, revision: `${revision}` }));
      return reply(null, { revisions, position: `${outcome.position}` });
    }
    case 'violated':
      return reply(violated(outcome.violations, checks));
    case 'not-leader':
      return reply(failed(codes.UNAVAILABLE, 'Server is not ready'));
  }
};

/** A check may expect no stream, one that exists, is deleted or tombstoned. `Any` is not allowed. */
const STATES: readonly bigint[] = [NO_STREAM, STREAM_EXISTS, SOFT_DELETED, TOMBSTONED];

/** Why the server refuses the call without looking into its log. */
const faultOf = (records: readonly AppendRecord[], checks: readonly ConsistencyCheck[]): string | undefined => {
  if (records.length === 0) return 'Append records request must contain at least one record.';
  if (checks.some(({ streamState }) => !streamState)) return 'Each consistency check must specify a type.';
  const states = checks.map(({ streamState }) => ({ stream: streamState?.stream ?? '', expected: BigInt(streamState?.expectedState ?? 0) }));
  if (states.some(({ expected }) => expected < 0n && !STATES.includes(expected))) return 'Expected state must be positive or a constant.';
  if (new Set(states.map(({ stream }) => folded(stream))).size < states.length) return 'Each stream can only appear once in consistency checks.';
  const streams = [...states, ...records].map(({ stream = '' }) => stream);
  if (streams.some((stream) => stream === '' || stream === '$$')) return 'Stream must not be empty.';
  if (records.some(({ recordId }) => recordId !== undefined && !isId(recordId))) return 'Record ID must be a valid and non-empty UUID.';
  if (records.some(({ schema }) => !schema?.name || !schema.format)) return 'Schema must have a name and a format.';
  return records.some(({ properties = {} }) => Object.values(properties).some((value) => Object.keys(value).length === 0))
    ? 'Property values must have a type set.'
    : undefined;
};

const isId = (text: string): boolean => UUID.test(text) && !/^[0-]*$/.test(text);

/** The server finds the stream of a record among those of the checks, and takes names that differ in case alone for one: the first one. */
const writeOf = (records: readonly AppendRecord[], checks: readonly ConsistencyCheck[]): RecordsWrite => {
  const streams = checks.map(({ streamState }) => ({ stream: streamState?.stream ?? '', expected: BigInt(streamState?.expectedState ?? 0) }));
  const indexes = new Map(streams.map(({ stream }, index) => [folded(stream), index]));
  const indexOf = (stream: string): number => {
    const known = indexes.get(folded(stream));
    if (known !== undefined) return known;
    indexes.set(folded(stream), streams.length);
    return streams.push({ stream, expected: ANY }) - 1;
  };
  return { checks: streams, records: records.map((record) => ({ check: indexOf(record.stream ?? ''), event: eventOf(record) })) };
};

const folded = (stream: string): string => stream.toUpperCase();

const eventOf = ({ recordId, schema, properties = {}, data }: AppendRecord): ProposedEvent => ({
  id: (recordId ?? crypto.randomUUID()).toLowerCase(),
  type: schema?.name ?? '',
  isJson: schema?.format === JSON_FORMAT,
  data: data ?? Buffer.alloc(0),
  customMetadata: metadataOf(properties, schema?.name ?? '', schema?.format ?? 0),
});

const excessOf = ({ checks, records }: RecordsWrite, { maxEventSize, maxAppendSize }: Behaviour): StatusObject | undefined => {
  let sum = 0;
  for (const { check, event } of records) {
    const size = event.data.length + event.customMetadata.length + Buffer.byteLength(event.type);
    sum += size;
    const details = { stream: checks[check]!.stream, recordId: event.id, size, maxSize: maxEventSize };
    if (size > maxEventSize) return failed(codes.INVALID_ARGUMENT, 'A record exceeds the maximum size.', RECORD_TOO_LARGE, details);
  }
  const details = { size: sum, maxSize: maxAppendSize };
  return sum > maxAppendSize ? failed(codes.ABORTED, 'The transaction exceeds the maximum size.', TRANSACTION_TOO_LARGE, details) : undefined;
};

const ERRORS = 'kurrentdb.protocol.v2.streams.errors';
const RECORD_TOO_LARGE = `${ERRORS}.AppendRecordSizeExceededErrorDetails`;
const TRANSACTION_TOO_LARGE = `${ERRORS}.AppendTransactionSizeExceededErrorDetails`;

const violated = (violations: Extract<RecordsOutcome, { result: 'violated' }>['violations'], checks: Streams): StatusObject =>
  failed(codes.FAILED_PRECONDITION, 'Append failed due to consistency violations.', `${ERRORS}.AppendConsistencyViolationErrorDetails`, {
    violations: violations.map(({ check, actual }) => {
      const { stream, expected } = checks[check]!;
      return { checkIndex: check, streamState: { stream, expectedState: `${expected}`, actualState: `${actual}` } };
    }),
  });

const accessDenied = (): StatusObject =>
  failed(codes.PERMISSION_DENIED, 'Access denied.', 'kurrent.rpc.AccessDeniedErrorDetails', { operation: 'streams:write' });

/** Unlike the calls of protocol 1, no node hands this one on to the leader. */
const notLeader = (leader: number | undefined): StatusObject =>
  leader === undefined
    ? failed(codes.UNAVAILABLE, 'Server is not ready')
    : failed(codes.FAILED_PRECONDITION, 'Not the leader.', 'kurrent.rpc.NotLeaderNodeErrorDetails', {
        currentLeader: { host: '127.0.0.1', port: leader },
      });

/** A failure of protocol 2: no trailers of its own, but a google.rpc.Status with details. */
const failed = (code: codes, message: string, name?: string, details: object = {}): StatusObject => {
  const any = (typeName: string, value: Buffer) => ({ type_url: `type.googleapis.com/${typeName}`, value });
  const info = any('google.rpc.ErrorInfo', encoded('google.rpc.ErrorInfo', { reason: message, domain: 'streams' }));
  const all = name === undefined ? [info] : [info, any(name, encoded(name, details))];
  const metadata = new Metadata();
  metadata.set('grpc-status-details-bin', encoded('google.rpc.Status', { code, message, details: all }));
  return { code, details: message, metadata };
};
