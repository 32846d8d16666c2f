import type { Pause } from '#kernel';

import { type Place, type Position, type SubscribeOptions, SubscriptionRefused } from '../event-store.js';
import type { Refusals } from '../refusals.js';
import { aheadAlarm } from '../subscription-ahead.js';
import { type Connection, SILENCE } from './connection.js';
import { HandedOverEvents } from './handed-over.js';
import { endOf, eventAt, isStored } from './subscription.js';

export interface ResumePointParts {
  readonly connection: Connection;
  readonly pause: Pause;
  readonly refusals: Refusals;
  /** Called with a line for the log when the store lacks events that were handed over. */
  readonly report: (trouble: string) => void;
  /** Called with a line for the log when an operator has to act. */
  readonly alarm: (trouble: string) => void;
}

/** For one check of the store. */
export const CHECK_LIMITS = { budget: 5_000, silence: SILENCE } as const;
const PAUSE = 100;
/** A store counts as one that lacks something after so many looks. */
const LOOKS = 3;

/**
 * Where a subscription goes on: after the last event that it knows the store to have. It never goes on from a position that the store does not have. Such a position
 * comes from a store that was restored from an older copy since. From beyond the end, EventStoreDB 24.10 and KurrentDB hand over nothing until they have grown to that
 * position, and skip the events in between.
 */
export class ResumePoint {
  readonly #handedOver = new HandedOverEvents();
  /** The position that the consumer has kept; with `end`, none. */
  #start: Position | undefined;
  /** Whether the event at that position was noted, so that another one in its place is noticed. */
  #isStartNoted: boolean;
  #isPlaced: boolean;

  constructor(
    private readonly parts: ResumePointParts,
    private readonly options: SubscribeOptions,
  ) {
    const { after } = options;
    if (typeof after === 'object') this.#handedOver.pass(after);
    this.#start = typeof after === 'object' ? after.position : after === 'end' ? undefined : after;
    this.#isStartNoted = typeof after === 'object';
    this.#isPlaced = after !== 'end';
  }

  /** Everything up to here needs no second look. */
  get reached(): Position {
    return this.#handedOver.last?.position ?? this.#start ?? 0n;
  }

  /** An event that was handed over. */
  add(event: Place): void {
    this.#handedOver.add(event);
  }

  /** An event that does not concern the subscription; nothing lies between the last one and it. */
  pass(event: Place): void {
    this.#handedOver.pass(event);
  }

  /** The position of the event after which to go on; undefined for the start of the store. Throws SubscriptionRefused, and the errors of the connection. */
  async find(): Promise<Position | undefined> {
    const { after, restored, categories } = this.options;
    // Fixed once for `end`: events before the first one handed over would be lost with the connection otherwise.
    const end = await this.#end();
    const lacks = await this.#dropLacking();
    const isBeyond = this.#start !== undefined && this.#start > (end?.position ?? 0n);
    if (restored === 'refuse' && (lacks || (isBeyond && typeof after === 'bigint'))) throw new SubscriptionRefused(categories, 'restored');
    const lacksAll = lacks && !this.#handedOver.last;
    if ((!this.#isPlaced || (after === 'end' && lacksAll)) && end) this.#handedOver.add(end);
    this.#isPlaced = true;
    if (this.#handedOver.last) return this.#handedOver.last.position;
    if (isBeyond) return this.#goOnAfter(end);
    if (this.#isStartNoted) throw this.parts.refusals.refuse(categories, 'position');
    await this.#noteStart();
    return this.#start;
  }

  /** The store's last event. Looked for again when it lies before the kept position, since that has consequences. */
  async #end(): Promise<Place | undefined> {
    for (let looks = 1; ; looks++) {
      const end = await this.parts.connection.run(endOf, CHECK_LIMITS);
      if (looks === LOOKS || (end?.position ?? 0n) >= this.reached) return end;
      await this.parts.pause(PAUSE);
    }
  }

  /** The store ends before the kept position, and none of its events is known. The events of the copy were handed over before: new ones follow. */
  #goOnAfter(end: Place | undefined): Position | undefined {
    this.parts.alarm(aheadAlarm(this.options.categories));
    if (end) this.#handedOver.pass(end);
    this.#start = end?.position;
    this.#isStartNoted = end !== undefined;
    return this.#start;
  }

  /** Of a position that was kept without an id. Nothing when a scavenge has removed its event, or when the store does not know the position. */
  async #noteStart(): Promise<void> {
    const start = this.#start;
    if (start === undefined || start === 0n) return;
    const event = await this.parts.connection.run((client) => eventAt(client, start), CHECK_LIMITS);
    if (!event) return;
    this.#handedOver.pass(event);
    this.#isStartNoted = true;
  }

  /** Answers whether the store lacks an event that was handed over or passed. */
  async #dropLacking(): Promise<boolean> {
    const { connection, pause, report } = this.parts;
    const { restored, categories } = this.options;
    const lacking = await this.#handedOver.dropLacking(async (event) => {
      for (let looks = 1; ; looks++) {
        if (await connection.run((client) => isStored(client, event), CHECK_LIMITS)) return true;
        if (looks === LOOKS) return false;
        await pause(PAUSE);
      }
    });
    if (lacking === undefined) return false;
    if (restored === 'refuse' || (this.#isStartNoted && !this.#handedOver.last)) return true;
    report(
      `the store lacks up to ${lacking} events of ${categories.join(', ')} that were handed over: it was restored from an older copy. ` +
        'The subscription goes on after the last event that the store has',
    );
    return true;
  }
}
