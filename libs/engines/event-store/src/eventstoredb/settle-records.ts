import { type AppendResult, AppendTooLarge, EventStoreUnavailable, NO_STREAM, StreamTombstoned, WrongExpectedRevision } from '../event-store.js';
import type { RecordsChannel } from './records-channel.js';
import type { RecordsRequest, Violation } from './records-messages.js';
import { APPEND_BUDGET, OutcomeUnknown, type Patience, settled } from './settle-append.js';

/** The streams that have changed, all that the server has named: each is to be readable before the work is decided again. */
export class StreamsChanged extends WrongExpectedRevision {
  constructor(readonly violations: readonly Violation[]) {
    const [{ stream, expected, actual }] = violations as readonly [Violation];
    super(stream, expected, actual === 'tombstoned' ? NO_STREAM : actual);
  }
}

/**
 * Appends to several streams, and when the outcome is unknown does so again with the same ids, which the server takes for a repetition if all was stored, whatever the checks say
 * then. Never while a try is still pending. Undefined where the server has no such call. Throws what {@link EventStore.appendTogether} throws.
 */
export const settleRecords = (
  { channel, ...patience }: Patience & { readonly channel: Pick<RecordsChannel, 'append'> },
  request: RecordsRequest,
): Promise<readonly AppendResult[] | undefined> => settled(patience, (timeout) => tryOnce(channel, request, timeout), APPEND_BUDGET);

const tryOnce = async (
  channel: Pick<RecordsChannel, 'append'>,
  request: RecordsRequest,
  timeout: number,
): Promise<readonly AppendResult[] | undefined> => {
  const answer = await channel.append(request, timeout);
  switch (answer.kind) {
    case 'stored':
      return request.appends.map(({ events }, index) => ({ revision: answer.revisions[index] as number, ids: events.map(({ id }) => id) }));
    case 'violated':
      throw refusalOf(answer.violations, request);
    case 'too-large':
      throw new AppendTooLarge(answer.stream);
    case 'unsupported':
      return undefined;
    case 'refused':
      throw new EventStoreUnavailable(`KurrentDB refused an append: ${answer.reason}`);
    case 'unknown':
      throw new OutcomeUnknown(answer.reason);
  }
};

/** A tombstoned stream takes no event. One that the request only looks at is as it is read: empty. */
const refusalOf = (violations: readonly Violation[], { appends }: RecordsRequest): Error => {
  const closed = violations.find(({ stream, actual }) => actual === 'tombstoned' && appends.some((append) => append.stream === stream));
  if (closed) return new StreamTombstoned(closed.stream);
  return violations.length > 0 ? new StreamsChanged(violations) : new EventStoreUnavailable('KurrentDB names no stream that has changed');
};
