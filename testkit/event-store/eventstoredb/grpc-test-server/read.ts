import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { type ServerWritableStream, status as codes } from '@grpc/grpc-js';

import type { Behaviour } from './dialect.js';
import type { Log } from './log.js';
import type { StoredEvent } from './log-entries.js';
import {
  accessDeniedFailure,
  caughtUp,
  checkpoint,
  confirmation,
  eventMessage,
  failure,
  lastStreamPosition,
  notLeaderFailure,
  streamDeletedFailure,
  streamNotFound,
  textOf,
} from './messages.js';
import type { Node } from './node.js';
import { DELETED } from './stream-metadata.js';

type Call = ServerWritableStream<ReadReq, ReadResp>;
type Options = NonNullable<ReturnType<ReadReq['getOptions']>>;

const BACKWARDS = 1;
const PAGE = 500n;
/** Events considered between two checkpoints, for each unit of the multiplier. */
const CHECKPOINT_WINDOW = 32;

/** Read: a stream, `$all`, or a subscription to `$all`. Subscriptions to single streams are not served: nothing of ours uses them. */
export const serveRead = (call: Call, node: Node): void => {
  const { log, access, cluster } = node;
  const options = call.request.getOptions()!;
  call.on('error', () => undefined);
  const fail = (error: unknown): void => void call.emit('error', error);
  const stream = options.hasAll() ? '$all' : textOf(options.getStream()!.getStreamIdentifier()!.getStreamName_asB64());
  if (!access.mayRead(call.metadata, stream)) return fail(accessDeniedFailure());
  if (node.faults.failsRead()) return fail(failure(codes.UNKNOWN, 'Exception was thrown by handler.'));
  if (call.metadata.get('requires-leader')[0] === 'true' && !cluster.leads)
    return fail(notLeaderFailure(cluster.leader === cluster.port ? undefined : cluster.leader));
  if (options.hasSubscription()) {
    if (!options.hasAll()) return fail(failure(codes.UNIMPLEMENTED, 'the test server subscribes to $all only'));
    subscribe(call, options, node).catch(fail);
  } else if (options.hasStream() && options.getCount() === '0') fail(failure(codes.UNKNOWN, 'Exception was thrown by handler.'));
  else if (stream === '') fail(failure(codes.INVALID_ARGUMENT, 'Value cannot be null. (streamName)'));
  else if (options.hasStream()) readStream(call, options, log).catch(fail);
  else readAll(call, options, node).catch(fail);
};

const readStream = async (call: Call, options: Options, log: Log): Promise<void> => {
  const selected = options.getStream()!;
  const stream = textOf(selected.getStreamIdentifier()!.getStreamName_asB64());
  const backwards = (options.getReadDirection() as number) === BACKWARDS;
  const from = selected.hasRevision() ? BigInt(selected.getRevision()) : selected.hasEnd() ? DELETED - 1n : 0n;
  const count = BigInt(options.getCount());
  const read = log.readStream({ stream, backwards, from: from > DELETED ? DELETED - 1n : from, limit: count > DELETED ? -1n : count });
  if (read === 'stream-deleted') return void call.emit('error', streamDeletedFailure(stream));
  if (read === 'stream-not-found') await send(call, streamNotFound(stream));
  else {
    for (const event of read.events) await send(call, eventMessage(event));
    // As the real server does for a client that says which protocol it speaks.
    if (!backwards && (options.getControlOption()?.getCompatibility() ?? 0) >= 1) await send(call, lastStreamPosition(read.last));
  }
  call.end();
};

const readAll = async (call: Call, options: Options, { log, behaviour }: Node): Promise<void> => {
  await log.shown();
  const all = options.getAll()!;
  const backwards = (options.getReadDirection() as number) === BACKWARDS;
  const position = all.getPosition();
  if (position && !isKnown(log, position)) return void call.emit('error', unknownPosition(behaviour));
  // A real server never ends such a read.
  if (options.getCount() === '0') return;
  // A read includes the event at its position, forwards; a subscription does not.
  const from = position
    ? BigInt(position.getCommitPosition()) - (backwards ? 0n : 1n)
    : all.hasEnd() === backwards
      ? backwards
        ? DELETED
        : 0n
      : backwards
        ? 0n
        : log.end;
  for (const event of log.readAll(backwards, from, BigInt(options.getCount()))) await send(call, eventMessage(event));
  call.end();
};

const subscribe = async (call: Call, options: Options, { log, faults, behaviour }: Node): Promise<void> => {
  const wanted = filterOf(options);
  const interval = CHECKPOINT_WINDOW * Math.max(1, options.getFilter()?.getCheckpointintervalmultiplier() ?? 1);
  const start = options.getAll()!;
  let complete = false;
  const history = log.shown().then(() => (complete = true));
  if (start.hasEnd()) await history;
  const position = start.getPosition();
  if (position && !isKnown(log, position)) return void call.emit('error', unknownPosition(behaviour));
  let after = position ? startOf(BigInt(position.getCommitPosition()), log, behaviour) : start.hasEnd() ? log.end : 0n;
  let considered = 0;
  let live = false;
  let ended = false;
  let wake = (): void => undefined;
  const leave = (): void => {
    ended = true;
    wake();
  };
  const stopListening = log.onChange(() => wake());
  const stopEnding = faults.onEndOfSubscriptions(leave);
  call.on('cancelled', leave);
  await send(call, confirmation());
  while (!ended) {
    const page = log.readAll(false, after, PAGE);
    for (const event of page) {
      if (ended) break;
      if (wanted(event)) await send(call, eventMessage(event));
      after = event.position;
      considered += 1;
      if (options.hasFilter() && considered % interval === 0)
        await send(call, checkpoint(after, live || behaviour.checkpointsHavePrepare ? after : 0n));
    }
    if (page.length > 0) continue;
    if (!live && !complete) {
      await history;
      continue;
    }
    if (!live) await send(call, caughtUp());
    live = true;
    if (!ended && after >= log.end) await new Promise<void>((resolve) => (wake = resolve));
  }
  stopListening();
  stopEnding();
  call.end();
};

/** Both parts of a position must be those of an event, as the real log is read at them. */
const isKnown = (log: Log, position: { getCommitPosition(): string; getPreparePosition(): string }): boolean =>
  position.getPreparePosition() === position.getCommitPosition() && log.knows(BigInt(position.getCommitPosition()));

const unknownPosition = ({ namesInvalidPositions }: Behaviour) =>
  namesInvalidPositions
    ? failure(codes.INVALID_ARGUMENT, 'Trying to read from an invalid position')
    : failure(codes.UNKNOWN, 'Unexpected ReadAllResult: Error');

const startOf = (position: bigint, log: Log, { fromBeyondTheEnd }: Behaviour): bigint =>
  fromBeyondTheEnd === 'next event' && position > log.end ? log.end : position;

const filterOf = (options: Options): ((event: StoredEvent) => boolean) => {
  const filter = options.getFilter();
  if (!filter) return () => true;
  const expression = filter.getStreamIdentifier() ?? filter.getEventType();
  const subject = (event: StoredEvent): string => (filter.hasStreamIdentifier() ? event.stream : event.type);
  const prefixes = expression?.getPrefixList() ?? [];
  if (prefixes.length > 0) return (event) => prefixes.some((prefix) => subject(event).startsWith(prefix));
  const pattern = new RegExp(expression?.getRegex() ?? '');
  return (event) => pattern.test(subject(event));
};

const send = async (call: Call, message: ReadResp): Promise<void> => {
  if (call.cancelled || call.destroyed || call.write(message)) return;
  await new Promise<void>((resolve) => {
    const goOn = (): void => {
      call.off('drain', goOn).off('cancelled', goOn);
      resolve();
    };
    call.on('drain', goOn).on('cancelled', goOn);
  });
};
