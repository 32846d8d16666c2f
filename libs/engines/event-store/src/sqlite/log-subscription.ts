import { setImmediate as nextTurn } from 'node:timers/promises';

import { type Place, type RecordedEvent, type SubscribeOptions, type SubscriptionItem, SubscriptionRefused } from '../event-store.js';
import type { Refusals } from '../refusals.js';
import { anewAlarm, resumedLine } from '../restored-lines.js';
import type { EventLog } from './event-log.js';
import type { Waiter } from './notifier.js';

/** Positions after which the consumer is told again where the subscription is. */
const TELL_EACH = 100;

export interface LogSubscriptionParts {
  readonly log: EventLog;
  /** Runs a query. Throws when the store is closed. */
  readonly whileOpen: <Result>(query: () => Result) => Result;
  readonly refusals: Refusals;
  /** Called with a line for the log when an operator has to act. */
  readonly alarm: (trouble: string) => void;
  /** Called with a line for the log when the log lacks the event to go on after. */
  readonly report: (trouble: string) => void;
  /** Called when the file turned out to be an older copy, with the last place that the subscription knows the copy to have. */
  readonly restored: (last: Place | undefined) => void;
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
  /** The end of the log at the time of the call. */
  readonly #end: number;
  #hasBegun = false;
  #hasCaughtUp = false;
  #isLeft = false;
  #waiter: Waiter | undefined;

  constructor(
    private readonly parts: LogSubscriptionParts,
    private readonly options: SubscribeOptions,
  ) {
    this.#end = parts.log.last;
    this.#told = this.#after = this.#through = Math.min(keptPosition(options.after) ?? this.#end, this.#end);
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
    const { categories } = this.options;
    const { refusals, whileOpen } = this.parts;
    if (!whileOpen(() => this.#isHeld())) this.#goOnWithout(whileOpen(() => this.#lastMark()));
    refusals.taken(categories);
  }

  /**
   * Whether the log has the newest mark and the event to go on after. The file keeps the ids of erased events until it is compacted: an event whose row is gone counts as
   * erased.
   */
  #isHeld(): boolean {
    const { after } = this.options;
    if ((keptPosition(after) ?? 0) > this.#end) return false;
    if (typeof after !== 'object') return true;
    const newest = after.marks?.at(-1);
    const found = this.parts.log.lastUpTo(Number(after.position));
    return (newest === undefined || this.#has(newest)) && (found?.position !== after.position || found.id === after.id);
  }

  /** The newest mark that the consumer has kept and the log has. */
  #lastMark(): Place | undefined {
    const { after } = this.options;
    return typeof after === 'object' ? after.marks?.findLast((mark) => this.#has(mark)) : undefined;
  }

  #has({ position, id }: Place): boolean {
    return this.parts.log.lastUpTo(Number(position))?.id === id;
  }

  /** Throws SubscriptionRefused where it cannot go on. */
  #goOnWithout(last: Place | undefined): void {
    const { categories, restored } = this.options;
    const { refusals, alarm, report } = this.parts;
    this.parts.restored(last);
    if (restored === 'refuse') throw new SubscriptionRefused(categories, 'restored');
    if (last) report(resumedLine(categories));
    else if (restored === 'begin-anew') alarm(anewAlarm(categories));
    else throw refusals.refuse(categories, 'position');
    this.#told = this.#after = this.#through = Number(last?.position ?? 0n);
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

/** Undefined for `end`. */
const keptPosition = (after: SubscribeOptions['after']): number | undefined =>
  after === 'end' ? undefined : Number(typeof after === 'object' ? after.position : (after ?? 0n));
