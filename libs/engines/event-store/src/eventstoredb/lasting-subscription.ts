import { growing, type Randomness } from '#kernel';

import { categoryOf, type Position, type RecordedEvent, type SubscribeOptions, type SubscriptionItem, SubscriptionRefused } from '../event-store.js';
import { isMark, MARKS } from '../marks/streams.js';
import type { Connection } from './connection.js';
import { describe, failureOf, isPositionRefused } from './failure.js';
import { ResumePoint, type ResumePointParts } from './resume-point.js';
import { CHECK_LIMITS } from './stored-places.js';
import { beginsAt, ServerCheckpoint, eventBefore, subscribeOnce } from './subscription.js';

/** `report` is also called when the subscription was interrupted and is taken up again. */
export interface LastingSubscriptionParts extends ResumePointParts {
  readonly randomness: Randomness;
  /** Given when the store is closed. */
  readonly closed: AbortSignal;
}

const SHORTEST_PAUSE = 100;
/** A store that is back is followed again within this time. */
const LONGEST_PAUSE = 2_000;
/** A subscription that keeps failing is reported at first and then about once a minute. */
const REPORT_EACH = 40;
/** After so many refusals in a row, within a second, the cause is not the start of the server. */
const REFUSALS = 3;

/**
 * One subscription over any number of calls. However a call ends, it goes on after the last event handed over, or, when the store was
 * restored from an older copy, after the last one that the copy has. Stops when the server will refuse it each time.
 */
export class LastingSubscription {
  readonly #point: ResumePoint;

  constructor(
    private readonly parts: LastingSubscriptionParts,
    private readonly options: SubscribeOptions,
  ) {
    this.#point = new ResumePoint(parts, options);
  }

  /** Ends with the signal or with the store's. Throws SubscriptionRefused. */
  async *items(): AsyncGenerator<SubscriptionItem, void, void> {
    const { connection, randomness, pause, refusals: known, closed } = this.parts;
    const { categories, signal } = this.options;
    const over = AbortSignal.any([signal, closed]);
    const unwatch = connection.watch();
    const waitAfter = growing({ first: SHORTEST_PAUSE, longest: LONGEST_PAUSE, randomness });
    let refusals = 0;
    try {
      for (let failures = 0; !over.aborted;) {
        let client: Awaited<ReturnType<Connection['client']>> | undefined;
        let opened = false;
        let last: Position | undefined;
        try {
          last = await this.#point.find();
          client = await connection.client();
          for await (const item of subscribeOnce(client, [...new Set([...categories, MARKS.category])], last, {
            signal: over,
            left: connection.left(client),
          })) {
            if (!opened) known.taken(categories);
            [failures, refusals, opened] = [0, 0, true];
            if (item instanceof ServerCheckpoint) {
              await this.#pass(item);
              continue;
            }
            if (item !== 'caught-up' && !categories.includes(categoryOf(item.stream))) {
              this.#passMark(item);
              continue;
            }
            if (item !== 'caught-up') this.#note(item);
            yield item;
            if (over.aborted) break;
          }
        } catch (error) {
          if (error instanceof SubscriptionRefused) throw error;
          failures += 1;
          if (client) connection.failed(client, error);
          const refusal = opened ? undefined : await this.#refusalOf(error, last);
          refusals = refusal ? refusals + 1 : 0;
          if (refusals === REFUSALS) {
            if (refusal === 'rights') throw known.refuse(categories, refusal);
            this.#point.refused();
          }
          if (failures % REPORT_EACH === 1) this.parts.report(`the subscription to ${categories.join(', ')} was interrupted: ${describe(error)}`);
          await pause(waitAfter(failures), over);
        }
      }
    } finally {
      unwatch();
    }
  }

  #note(event: RecordedEvent): void {
    if (isMark(event)) this.#point.passMark(event);
    else this.#point.add(event);
  }

  /** A consumer that follows other categories is told of it as of a place. */
  #passMark(event: RecordedEvent): void {
    if (!isMark(event)) return;
    this.#point.passMark(event);
    this.options.reached?.({ position: event.position, id: event.id });
  }

  /** Why the server will refuse a subscription each time; nothing when it may take it the next time. A server that has an event at the position has failed for another reason. */
  async #refusalOf(error: unknown, after: Position | undefined): Promise<SubscriptionRefused['reason'] | undefined> {
    if (failureOf(error) === 'access-denied') return 'rights';
    if (after === undefined || !isPositionRefused(error)) return undefined;
    const isThere = await this.parts.connection.run((client) => beginsAt(client, after), CHECK_LIMITS).catch(() => true);
    return isThere ? undefined : 'position';
  }

  /** The subscription will go on after the events that the server has passed, so that a lost connection costs no second look at foreign events. */
  async #pass({ position }: ServerCheckpoint): Promise<void> {
    // Without an answer, the next checkpoint will do.
    const event = await this.parts.connection.run((client) => eventBefore(client, position), CHECK_LIMITS).catch(() => undefined);
    if (!event || event.position <= this.#point.reached) return;
    this.#point.pass(event);
    this.options.reached?.(event);
  }
}
