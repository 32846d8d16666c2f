import type { DomainEvent } from '#kernel';

import type { StreamName } from './event-store.js';
import { decideOnLast, type LastEventType } from './unit-of-work/last-event.js';
import type { UnitOfWork } from './unit-of-work/unit-of-work.js';

/** A stream of the type. */
export interface LastEventStream<Event extends DomainEvent> {
  readonly type: LastEventType<Event>;
  readonly stream: StreamName;
}

/**
 * Reserves a stream, and with it the name or the person in the stream's name: appends the claim unless the newest
 * event is a claim already. Answers the claim that stands, which is another one's when that came first.
 *
 * @param isFree whether the newest event leaves the stream to be claimed. By default no event does.
 */
export const reserve = async <Event extends DomainEvent>(
  unitOfWork: UnitOfWork,
  on: LastEventStream<Event>,
  claim: Event,
  isFree: (last: Event) => boolean = () => false,
): Promise<Event> => (await decideOnLast(unitOfWork, on, (last) => (last && !isFree(last) ? [] : [claim]))).last ?? claim;

/**
 * Ends a claim that {@link reserve} made, and erases it: appends `released`, an event without content, if the newest event is
 * still the claim to end, and then truncates the stream before the newest event of that type. A store that reclaims space
 * keeps the last event of a stream, so the event without content has to come first.
 *
 * May be repeated: a repetition after a crash finishes the truncation. A later claim stays as it is.
 */
export const release = async <Event extends DomainEvent>(
  unitOfWork: UnitOfWork,
  on: LastEventStream<Event>,
  released: Event,
  isHeld: (last: Event) => boolean,
): Promise<void> => {
  await decideOnLast(unitOfWork, on, (last) => (last && isHeld(last) ? [released] : []));
  await on.type.streams.truncateBeforeNewest(unitOfWork.store, on.stream, released.type);
};
