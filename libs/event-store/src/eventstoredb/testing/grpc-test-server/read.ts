import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { type ServerWritableStream, status as codes } from '@grpc/grpc-js';

import type { Faults } from './faults.js';
import type { Log } from './log.js';
import type { StoredEvent } from './log-entries.js';
import { caughtUp, checkpoint, confirmation, eventMessage, failure, streamDeletedFailure, streamNotFound, textOf } from './messages.js';
import { DELETED } from './stream-metadata.js';

type Call = ServerWritableStream<ReadReq, ReadResp>;
type Options = NonNullable<ReturnType<ReadReq['getOptions']>>;

const BACKWARDS = 1;
const PAGE = 500n;
/** Events considered between two checkpoints, for each unit of the multiplier. */
const CHECKPOINT_WINDOW = 32;

/** Read: a stream, `$all`, or a subscription to `$all`. Subscriptions to single streams are not served: nothing of ours uses them. */
export const serveRead = (call: Call, log: Log, faults: Faults): void => {
  const options = call.request.getOptions()!;
  call.on('error', () => undefined);
  const fail = (error: unknown): void => void call.emit('error', error);
  if (options.hasSubscription()) {
    if (!options.hasAll()) return fail(failure(codes.UNIMPLEMENTED, 'the test server subscribes to $all only'));
    subscribe(call, options, log, faults).catch(fail);
  } else if (options.getCount() === '0') fail(failure(codes.INVALID_ARGUMENT, "'0' is not a valid count"));
  else if (options.hasStream()) readStream(call, options, log).catch(fail);
  else readAll(call, options, log).catch(fail);
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
  else for (const event of read) await send(call, eventMessage(event));
  call.end();
};

const readAll = async (call: Call, options: Options, log: Log): Promise<void> => {
  const all = options.getAll()!;
  const backwards = (options.getReadDirection() as number) === BACKWARDS;
  const position = all.getPosition();
  // A read includes the event at its position, forwards; a subscription does not.
  const from = position ? BigInt(position.getCommitPosition()) - (backwards ? 0n : 1n) : all.hasEnd() === backwards ? (backwards ? DELETED : 0n) : backwards ? 0n : log.end;
  for (const event of log.readAll(backwards, from, BigInt(options.getCount()))) await send(call, eventMessage(event));
  call.end();
};

const subscribe = async (call: Call, options: Options, log: Log, faults: Faults): Promise<void> => {
  const wanted = filterOf(options);
  const interval = CHECKPOINT_WINDOW * Math.max(1, options.getFilter()?.getCheckpointintervalmultiplier() ?? 1);
  const start = options.getAll()!;
  let after = start.getPosition() ? BigInt(start.getPosition()!.getCommitPosition()) : start.hasEnd() ? log.end : 0n;
  let considered = 0;
  let live = false;
  let ended = false;
  let wake = (): void => undefined;
  const leave = (): void => {
    ended = true;
    wake();
  };
  const stopListening = log.onFlush(() => wake());
  const stopEnding = faults.onEndOfSubscriptions(leave);
  call.on('cancelled', leave);
  await send(call, confirmation());
  while (!ended) {
    const page = log.readAll(false, after, PAGE);
    for (const event of page) {
      if (ended) break;
      if (wanted(event)) await send(call, eventMessage(event));
      after = event.position;
    }
    considered += page.length;
    if (considered >= interval) {
      considered %= interval;
      await send(call, checkpoint(after));
    }
    if (page.length > 0) continue;
    if (!live) await send(call, caughtUp());
    live = true;
    if (!ended && after >= log.end) await new Promise<void>((resolve) => (wake = resolve));
  }
  stopListening();
  stopEnding();
  call.end();
};

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
