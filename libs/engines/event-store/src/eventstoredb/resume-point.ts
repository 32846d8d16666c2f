import type { Pause } from '#kernel';

import { type KeptPlace, type Place, type Position, type RecordedEvent, type SubscribeOptions, SubscriptionRefused } from '../event-store.js';
import type { Refusals } from '../refusals.js';
import { anewAlarm } from '../restored-lines.js';
import type { Connection } from './connection.js';
import { HandedOverEvents } from './handed-over.js';
import { CHECK_LIMITS, type StoredPlaces } from './stored-places.js';
import { endOf, lastUpTo } from './subscription.js';

export interface ResumePointParts {
  readonly connection: Connection;
  readonly pause: Pause;
  readonly refusals: Refusals;
  /** What the store has of what this process knows. */
  readonly places: StoredPlaces;
  /** Called with a line for the log when the store lacks events that were handed over. */
  readonly report: (trouble: string) => void;
  /** Called with a line for the log when an operator has to act. */
  readonly alarm: (trouble: string) => void;
  /** Called when the store turned out to be restored from an older copy, with the last place that the subscription knows the copy to have. */
  readonly restored: (last: Place | undefined) => void;
}

const PAUSE = 100;
/** A store counts as one that lacks something after so many looks. */
const LOOKS = 3;

/**
 * Where a subscription goes on: after the last event or mark that it knows the store to have. It never goes on from a position that the store does not have. Such a position
 * comes from a store that was restored from an older copy since. From beyond the end, EventStoreDB 24.10 and KurrentDB hand over nothing until they have grown to that
 * position, and skip the events in between.
 */
export class ResumePoint {
  readonly #handedOver = new HandedOverEvents();
  #isPlaced: boolean;

  constructor(
    private readonly parts: ResumePointParts,
    private readonly options: SubscribeOptions,
  ) {
    const { after } = options;
    if (isPlace(after)) this.#handedOver.pass(after);
    this.#isPlaced = after === undefined || after === 0n;
  }

  /** Everything up to here needs no second look. */
  get reached(): Position {
    return this.#handedOver.last?.position ?? 0n;
  }

  /** An event that was handed over. */
  add(event: RecordedEvent): void {
    this.#handedOver.add(event);
  }

  /** An event that does not concern the subscription; nothing lies between the last one and it. */
  pass(event: Place): void {
    this.#handedOver.pass(event);
  }

  /** The same for a mark. */
  passMark(mark: Place): void {
    this.#handedOver.passMark(mark);
    this.parts.places.marks.add(mark);
  }

  /** The position of the event after which to go on; undefined for the start of the store. Throws SubscriptionRefused, and the errors of the connection. */
  async find(): Promise<Position | undefined> {
    const { places, restored } = this.parts;
    if (!this.#isPlaced) this.#precede();
    const has = places.looks();
    const lacksMark = await places.dropLacking(has);
    const lacking = await this.#handedOver.dropLacking(has);
    if (lacking !== undefined || lacksMark) restored(this.#handedOver.last);
    if (lacking !== undefined) this.#goOnWithout(lacking);
    else if (!this.#isPlaced) await this.#place();
    this.#isPlaced = true;
    return this.#handedOver.last?.position;
  }

  /** The server refuses the position each time. Throws SubscriptionRefused unless the subscription begins anew. */
  refused(): void {
    this.parts.restored(undefined);
    this.#beginAnew();
    this.#isPlaced = true;
  }

  /** The marks that the consumer has kept. */
  #precede(): void {
    const { after } = this.options;
    if (isPlace(after)) this.#handedOver.precede(after.marks ?? []);
  }

  #goOnWithout(lacking: number): void {
    const { restored, categories, after } = this.options;
    if (restored === 'refuse') throw new SubscriptionRefused(categories, 'restored');
    const knowsAny = this.#handedOver.last !== undefined;
    if (!knowsAny && after !== undefined) return this.#beginAnew();
    this.parts.report(
      `the store lacks up to ${lacking} events of ${categories.join(', ')} that were handed over: it was restored from an older copy. ` +
        `The subscription goes on ${knowsAny ? 'after the last event that it knows the store to have' : 'from the start of the store'}`,
    );
  }

  /** The copy has nothing that the subscription knows. What follows the end of the copy may have been appended since, so it is no place to go on from. */
  #beginAnew(): void {
    const { restored, categories, after } = this.options;
    if (restored === 'refuse') throw new SubscriptionRefused(categories, 'restored');
    if (restored !== 'begin-anew' && after !== 'end') throw this.parts.refusals.refuse(categories, 'position');
    this.parts.alarm(anewAlarm(categories));
    this.#handedOver.clear();
  }

  /** Notes an event of the store at the place where the subscription begins, and the marks before it: the position alone would not show that it belongs to another copy. */
  async #place(): Promise<void> {
    const { after } = this.options;
    const { connection, places } = this.parts;
    const place = isPlace(after) ? after : after === 'end' ? await connection.run(endOf, CHECK_LIMITS) : await this.#lookFor(after ?? 0n);
    if (place === 'lacking') return this.refused();
    if (!place) return; // an empty store
    if (!isPlace(after)) this.#handedOver.pass(place);
    if (!isPlace(after) || !after.marks) this.#handedOver.precede(places.marks.upTo(place.position));
  }

  /** The event at a position that was kept without an id; the last one before it, where a scavenge has removed that event. */
  async #lookFor(position: Position): Promise<Place | 'lacking'> {
    const { connection, pause } = this.parts;
    for (let looks = 1; ; looks++) {
      const end = await connection.run(endOf, CHECK_LIMITS);
      const isBeyond = position > (end?.position ?? 0n);
      const found = isBeyond ? undefined : await connection.run((client) => lastUpTo(client, position), CHECK_LIMITS);
      if (found) return found;
      if (looks === LOOKS) return 'lacking';
      await pause(PAUSE);
    }
  }
}

const isPlace = (after: SubscribeOptions['after']): after is KeptPlace => typeof after === 'object';
