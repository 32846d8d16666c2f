import type { DomainEvent } from '#kernel';

import type { KeptPlace, Place, Position, RecordedEvent } from './stored-event.js';

export interface SubscribeOptions {
  /** The position or the event after which to begin, that one excluded. Default: the start of the store. `end` skips all history. */
  readonly after?: Position | KeptPlace | 'end';
  /** Only events of these categories. */
  readonly categories: readonly string[];
  /** Ends the subscription. */
  readonly signal: AbortSignal;
  /**
   * What the subscription does when the store was restored from an older copy, which lacks an event that the subscription has handed over, or
   * the event after which it begins. It checks this whenever it begins or connects again. `resume`, the default: it continues after the last
   * event or mark that it knows the copy to have, so that it may hand over events a second time and skips none. When it knows of none, it ends with
   * SubscriptionRefused, and the store is not ready. `begin-anew`: the same, but when it knows of none, it raises an alarm and continues from the start of the store. So
   * does a subscription that began at the start or at the `end`. `refuse`: it ends with SubscriptionRefused before it hands over another event.
   */
  readonly restored?: 'resume' | 'begin-anew' | 'refuse';
  /**
   * The store may call this from time to time with an event of any category, in order with the events that it hands over. No event of the
   * subscribed categories lies between the last one handed over and this one, so a later subscription may begin after this one.
   */
  readonly reached?: (place: Place) => void;
}

/** An event, or the note that all events stored so far have been handed over (given again after each reconnection). */
export type SubscriptionItem<Event extends DomainEvent = DomainEvent> = RecordedEvent<Event> | 'caught-up';
