import { setImmediate as nextTurn } from 'node:timers/promises';

import { type Place, type RecordedEvent, type SubscribeOptions, type SubscriptionItem, SubscriptionRefused } from '../event-store.js';
import type { EventLog } from './event-log.js';
import type { Waiter } from './notifier.js';

/** Positions after which the consumer is told again where the subscription is. */
const TELL_EACH = 100;

export interface LogSubscriptionParts {
  readonly log: EventLog;
  /** Runs a query. Throws when the store is closed. */
  readonly whileOpen: <Result>(query: () => Result) => Result;
}

type Result = IteratorResult<SubscriptionItem, undefined>;

/**
 * The events of the log, from history into the present, until the signal is given. Throws SubscriptionRefused, and when the store is closed. Written without a
 * generator, which takes several promises for each event: a process has a dozen subscriptions. As with a generator, one item is asked for at a time.
 */
export class LogSubscription implements AsyncIterableIterator<SubscriptionItem, undefined> {
  /** Those that come next, from `#index` on. */
  #events: readonly RecordedEvent[] = [];
  #index = 0;
  /** Where they end. */
  #through: number;
  /** Everything up to here has been handed over. */
  #after: number;
  #told: number;
  #hasBegun = false;
  #hasCaughtUp = false;
  #isLeft = false;
  #waiter: Waiter | undefined;

  constructor(
    private readonly parts: LogSubscriptionParts,
    private readonly options: SubscribeOptions,
  ) {
    const { after } = options;
    // The end is the one at the time of the call.
    this.#told = this.#after = this.#through = after === 'end' ? parts.log.last : Number(typeof after === 'object' ? after.position : (after ?? 0));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result> {
    const event = this.options.signal.aborted ? undefined : this.#events[this.#index++];
    return event ? Promise.resolve({ value: event }) : this.#proceed();
  }

  async return(): Promise<Result> {
    this.#isLeft = true;
    this.#events = [];
    this.#waiter?.leave();
    return { done: true, value: undefined };
  }

  /** The item after {@link #events}. */
  async #proceed(): Promise<Result> {
    const { log } = this.parts;
    const { categories } = this.options;
    try {
      this.#begin();
      while (!this.#isOver()) {
        if (this.#after < this.#through) {
          this.#reach(this.#through);
          if (this.#after < log.last) await nextTurn();
        } else if (log.has(categories, this.#after)) {
          const first = this.#take();
          if (first) return { value: first };
        } else if (this.#after < log.last) this.#reach(log.last);
        else if (this.#hasCaughtUp) {
          await this.#arrival();
          if (!this.#isOver()) this.parts.whileOpen(() => undefined);
        } else {
          this.#hasCaughtUp = true;
          return { value: 'caught-up' };
        }
      }
    } catch (error) {
      await this.return();
      throw error;
    }
    return this.return();
  }

  #isOver(): boolean {
    return this.#isLeft || this.options.signal.aborted;
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const { after, categories, restored } = this.options;
    if (restored === 'refuse' && !this.parts.whileOpen(() => isHeld(this.parts.log, after))) throw new SubscriptionRefused(categories, 'restored');
  }

  /** The first of the next events; it counts as handed over. */
  #take(): RecordedEvent | undefined {
    const { log, whileOpen } = this.parts;
    const { events, through } = whileOpen(() => log.next(this.options.categories, this.#after));
    this.#events = events;
    this.#through = through;
    this.#index = 1;
    return events[0];
  }

  #arrival(): Promise<void> {
    const { categories, signal } = this.options;
    return (this.#waiter ??= this.parts.log.waiter(categories, signal)).wait();
  }

  /** Nothing up to the position is left to hand over. */
  #reach(position: number): void {
    const { log, whileOpen } = this.parts;
    const { reached } = this.options;
    this.#after = this.#through = position;
    if (!reached || position < this.#told + TELL_EACH) return;
    const place = whileOpen(() => log.lastUpTo(position));
    if (place) reached(place);
    this.#told = position;
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
