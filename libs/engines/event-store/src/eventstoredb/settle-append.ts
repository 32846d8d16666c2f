import { type Clock, growing, type Pause, type Randomness, retry } from '#kernel';

import {
  type AppendResult,
  AppendTooLarge,
  EventStoreUnavailable,
  type StreamName,
  StreamTombstoned,
  WrongExpectedRevision,
} from '../event-store.js';
import type { AppendChannel } from './append-channel.js';
import type { AppendRequest } from './append-messages.js';

/** Milliseconds in which an append must have an outcome: the longest wait of a caller. */
export const APPEND_BUDGET = 5_000;
/** After which one try counts as unanswered. The server gives a write up after the same time. */
const TRY_TIMEOUT = 2_000;
const SHORTEST_PAUSE = 50;
const LONGEST_PAUSE = 500;

export interface Patience {
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly pause: Pause;
}

export interface Tries extends Patience {
  readonly channel: Pick<AppendChannel, 'append'>;
}

/**
 * Appends, and when the outcome is unknown appends again with the same ids at the same revision, which the server takes for
 * a repetition if the first try was stored: so it is stored once in each case. Never while a try is still pending.
 * Throws what {@link EventStore.append} throws.
 */
export const settleAppend = ({ channel, ...patience }: Tries, request: AppendRequest, budget = APPEND_BUDGET): Promise<AppendResult> =>
  settled(patience, (timeout) => tryOnce(channel, request, timeout), budget);

/** Tries again, within the budget, while the outcome of a try is unknown. A try is told how many milliseconds it has. */
export const settled = <Result>(
  { clock, randomness, pause }: Patience,
  tryOnce: (timeout: number) => Promise<Result>,
  budget: number,
): Promise<Result> => {
  const until = { clock, time: clock.monotonic() + budget };
  return retry(() => tryOnce(Math.max(1, Math.min(TRY_TIMEOUT, until.time - clock.monotonic()))), {
    waits: growing({ first: SHORTEST_PAUSE, longest: LONGEST_PAUSE, randomness }),
    when: (error) => error instanceof OutcomeUnknown,
    until,
    exhausted: (error) => new EventStoreUnavailable(`the outcome of an append is unknown: ${(error as OutcomeUnknown).message}`),
    pause,
  });
};

/** Of a try. */
export class OutcomeUnknown extends Error {}

const tryOnce = async (channel: Tries['channel'], request: AppendRequest, timeout: number): Promise<AppendResult> => {
  const stream = request.stream as StreamName;
  const answer = await channel.append(request, timeout);
  switch (answer.kind) {
    case 'stored':
      return { revision: answer.revision, ids: request.events.map(({ id }) => id) };
    case 'conflict':
      throw new WrongExpectedRevision(stream, request.expected, answer.actual);
    case 'tombstoned':
      throw new StreamTombstoned(stream);
    case 'too-large':
      throw new AppendTooLarge(stream);
    case 'refused':
      throw new EventStoreUnavailable(`EventStoreDB refused an append: ${answer.reason}`);
    case 'unknown':
      throw new OutcomeUnknown(answer.reason);
  }
};
