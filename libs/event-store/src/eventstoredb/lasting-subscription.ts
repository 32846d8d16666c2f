import type { Randomness } from '#kernel';

import { type Place, type Position, type SubscribeOptions, type SubscriptionItem, SubscriptionRefused } from '../event-store.js';
import { type Connection, SILENCE } from './connection.js';
import { describe, failureOf, isUnknown } from './failure.js';
import { HandedOverEvents } from './handed-over.js';
import type { Refusals } from './refusals.js';
import { backoff, type Pause } from './retry.js';
import { Checkpoint, endOf, eventBefore, isStored, subscribeOnce } from './subscription.js';

export interface LastingSubscriptionParts {
  readonly connection: Connection;
  readonly randomness: Randomness;
  readonly pause: Pause;
  readonly refusals: Refusals;
  /** Called with a line for the log when the subscription was interrupted and is taken up again. */
  readonly report: (trouble: string) => void;
  /** Called with a line for the log when an operator has to act. */
  readonly alarm: (trouble: string) => void;
  /** Given when the store is closed. */
  readonly closed: AbortSignal;
}

/** Milliseconds for one check of the store. */
const CHECK_TIMEOUT = 5_000;
const SHORTEST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;
/** A subscription that keeps failing is reported at first and then about once a minute. */
const REPORT_EACH = 15;
/** After so many refusals in a row, within a second, the cause is not the start of the server. */
const REFUSALS = 3;

/**
 * One subscription over any number of calls. However a call ends, it goes on after the last event handed over, or, when the store was
 * restored from an older copy, after the last one that the copy has. Stops when the server will refuse it each time.
 */
export class LastingSubscription {
  readonly #handedOver = new HandedOverEvents();

  constructor(
    private readonly parts: LastingSubscriptionParts,
    private readonly options: SubscribeOptions,
  ) {
    if (typeof options.after === 'object') this.#handedOver.pass(options.after);
  }

  /** Ends with the signal or with the store's. Throws SubscriptionRefused. */
  async *items(): AsyncGenerator<SubscriptionItem, void, void> {
    const { connection, randomness, pause, refusals: known, alarm, closed } = this.parts;
    const { categories, signal, after, restored } = this.options;
    const over = AbortSignal.any([signal, closed]);
    const unwatch = connection.watch();
    const start = typeof after === 'object' ? after.position : after === 'end' ? undefined : after;
    let positioned = after !== 'end';
    let refusals = 0;
    let isAhead = false;
    try {
      for (let failures = 0; !over.aborted;) {
        let client: Awaited<ReturnType<Connection['client']>> | undefined;
        let opened = false;
        let last: Position | undefined = start;
        try {
          // Fixed once: events before the first one handed over would be lost with the connection otherwise.
          const end = await connection.run(endOf, { budget: CHECK_TIMEOUT, silence: SILENCE });
          const lacks = await this.#dropLacking();
          if (restored === 'refuse' && (lacks || isBeyond(after, end))) throw new SubscriptionRefused(categories, 'restored');
          const lacksAll = lacks && !this.#handedOver.last;
          if ((!positioned || (after === 'end' && lacksAll)) && end) this.#handedOver.add(end);
          positioned = true;
          last = this.#handedOver.last?.position ?? start;
          if (last !== undefined && last > (end?.position ?? 0n) && !isAhead) {
            isAhead = true;
            alarm(`${aheadOf(categories)}: it was restored from an older copy. ${AHEAD_REMEDY}`);
          }
          client = await connection.client();
          for await (const item of subscribeOnce(client, categories, last, { signal: over, left: connection.left(client) })) {
            if (!opened) known.taken(categories);
            [failures, refusals, opened] = [0, 0, true];
            if (item instanceof Checkpoint) {
              await this.#pass(item, start);
              continue;
            }
            if (item !== 'caught-up') this.#handedOver.add(item);
            yield item;
            if (over.aborted) break;
          }
        } catch (error) {
          if (error instanceof SubscriptionRefused) throw error;
          failures += 1;
          if (client) connection.failed(client, error);
          const refusal = opened ? undefined : refusalOf(error, last);
          refusals = refusal ? refusals + 1 : 0;
          if (refusal === 'position' && restored === 'refuse') throw new SubscriptionRefused(categories, 'restored');
          if (refusal && refusals === REFUSALS) throw known.refuse(categories, refusal);
          if (failures % REPORT_EACH === 1) this.#report(`the subscription to ${categories.join(', ')} was interrupted: ${describe(error)}`);
          await pause(backoff(failures, SHORTEST_PAUSE, LONGEST_PAUSE, randomness), over);
        }
      }
    } finally {
      unwatch();
    }
  }

  /** After a restoration from an older copy, the subscription goes on after the last event that the copy has. Answers whether there was one. */
  async #dropLacking(): Promise<boolean> {
    const { connection, pause } = this.parts;
    const lacking = await this.#handedOver.dropLacking(async (event) => {
      for (let looks = 1; ; looks++) {
        if (await connection.run((client) => isStored(client, event), { budget: CHECK_TIMEOUT, silence: SILENCE })) return true;
        if (looks === REFUSALS) return false;
        await pause(SHORTEST_PAUSE);
      }
    });
    if (lacking === undefined) return false;
    if (this.options.restored === 'refuse') return true;
    this.#report(
      `the store lacks up to ${lacking} events of ${this.options.categories.join(', ')} that were handed over: it was restored from an older copy. ` +
        'The subscription goes on after the last event that the store has',
    );
    return true;
  }

  /** The subscription will go on after the events that the server has passed, so that a lost connection costs no second look at foreign events. */
  async #pass({ position }: Checkpoint, start: Position | undefined): Promise<void> {
    const limits = { budget: CHECK_TIMEOUT, silence: SILENCE };
    // Without an answer, the next checkpoint will do.
    const event = await this.parts.connection.run((client) => eventBefore(client, position), limits).catch(() => undefined);
    if (!event || event.position <= (this.#handedOver.last?.position ?? start ?? 0n)) return;
    this.#handedOver.pass(event);
    this.options.reached?.(event);
  }

  #report(line: string): void {
    this.parts.report(line);
  }
}

/** Whether a position without an event's id lies beyond the store's end. */
const isBeyond = (after: SubscribeOptions['after'], end: Place | undefined): boolean => typeof after === 'bigint' && after > (end?.position ?? 0n);

const aheadOf = (categories: readonly string[]): string => `the store ends before the position to go on after of ${categories.join(', ')}`;
/** Of a position that the caller has kept. The events appended between the restoration and the subscription are not handed over. */
const AHEAD_REMEDY = 'The subscription goes on with new events only; start the services again, so that they read the events in between';

/** Why the server will refuse a subscription each time; nothing when it may take it the next time. */
const refusalOf = (error: unknown, after: Position | undefined): SubscriptionRefused['reason'] | undefined => {
  if (failureOf(error) === 'access-denied') return 'rights';
  return after !== undefined && isUnknown(error) ? 'position' : undefined;
};
