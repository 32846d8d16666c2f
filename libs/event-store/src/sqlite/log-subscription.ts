import { setImmediate as nextTurn } from 'node:timers/promises';

import { type Place, type SubscribeOptions, type SubscriptionItem, SubscriptionRefused } from '../event-store.js';
import type { EventLog } from './event-log.js';

/** Positions after which the consumer is told again where the subscription is. */
const TELL_EACH = 100;

export interface LogSubscriptionParts {
  readonly log: EventLog;
  /** Runs a query. Throws when the store is closed. */
  readonly whileOpen: <Result>(query: () => Result) => Result;
}

/** The events of the log, from history into the present, until the signal is given. Throws SubscriptionRefused, and when the store is closed. */
export const subscribeToLog = (parts: LogSubscriptionParts, options: SubscribeOptions): AsyncGenerator<SubscriptionItem, void, void> => {
  const { after } = options;
  // The end is the one at the time of the call.
  return follow(parts, options, after === 'end' ? parts.log.last : Number(typeof after === 'object' ? after.position : (after ?? 0)));
};

async function* follow(
  { log, whileOpen }: LogSubscriptionParts,
  { categories, signal, reached, ...options }: SubscribeOptions,
  start: number,
): AsyncGenerator<SubscriptionItem, void, void> {
  if (options.restored === 'refuse' && !whileOpen(() => isHeld(log, options.after))) throw new SubscriptionRefused(categories, 'restored');
  let after = start;
  let told = start;
  const tell = (through: number): void => {
    if (!reached || through < told + TELL_EACH) return;
    const place = whileOpen(() => log.lastUpTo(through));
    if (place) reached(place);
    told = through;
  };
  let caughtUp = false;
  while (!signal.aborted) {
    if (!log.has(categories, after)) {
      if (log.last > after) {
        after = log.last;
        tell(after);
      }
      if (!caughtUp) yield 'caught-up';
      caughtUp = true;
      // Events may have been stored while the consumer handled 'caught-up', of other categories too.
      if (log.last <= after) await log.wait(categories, signal);
      if (!signal.aborted) whileOpen(() => undefined);
      continue;
    }
    const { events, through } = whileOpen(() => log.next(categories, after));
    for (const event of events) {
      if (signal.aborted) return;
      yield event;
    }
    after = through;
    tell(after);
    if (after < log.last) await nextTurn();
  }
}

/** The file keeps the ids of erased events until it is compacted: an event whose row is gone counts as erased. */
const isHeld = (log: EventLog, after: SubscribeOptions['after']): boolean => {
  if (after === undefined || after === 'end') return true;
  const position = typeof after === 'object' ? after.position : after;
  if (position > log.last) return false;
  const found = typeof after === 'object' ? log.lastUpTo(Number(position)) : undefined;
  return !found || found.position !== position || found.id === (after as Place).id;
};
