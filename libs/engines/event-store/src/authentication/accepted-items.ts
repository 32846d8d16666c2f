import type { DomainEvent } from '#kernel';

import type { RecordedEvent, SubscriptionItem } from '../event-store.js';

export interface Judgement {
  /** Whether the event was found right before: then it is not judged. */
  isChecked(event: RecordedEvent): boolean;
  /** What is handed over for the event; or the event is left out, or ends the subscription, which shows it again when it begins again. */
  judge<Event extends RecordedEvent>(event: Event): Promise<Event | 'refused' | 'ended'>;
}

/**
 * The items of a subscription without the events that are refused. Written without a generator, which takes three promises for each item: a process has a
 * dozen subscriptions, and has written or read most of the events itself.
 */
export const acceptedItems = <Event extends DomainEvent>(
  items: AsyncIterable<SubscriptionItem<Event>>,
  { isChecked, judge }: Judgement,
): AsyncIterable<SubscriptionItem<Event>> => {
  type Result = IteratorResult<SubscriptionItem<Event>, undefined>;
  const iterate = () => {
    const iterator = items[Symbol.asyncIterator]();
    const end = async (): Promise<Result> => {
      await iterator.return?.();
      return { done: true, value: undefined };
    };
    const judged = async (event: RecordedEvent<Event>): Promise<Result> => {
      const judgement = await judge(event);
      if (judgement === 'refused') return next();
      return judgement === 'ended' ? end() : { value: judgement };
    };
    const accept = (result: Result): Result | Promise<Result> =>
      result.done || result.value === 'caught-up' || isChecked(result.value) ? result : judged(result.value);
    const next = (): Promise<Result> => iterator.next().then(accept);
    return { next, return: end };
  };
  return { [Symbol.asyncIterator]: iterate };
};
