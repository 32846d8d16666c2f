import type { DomainEvent } from '#kernel';

import type { EventStore, RecordedEvent, SubscribeOptions, SubscriptionItem } from '#engines/event-store';

/**
 * From now on the store's subscriptions say that they have caught up before they hand over the newest `count` events of the history, as on
 * a node that lags behind the appends.
 */
export const withholdNewest = (store: EventStore, count: number): void => {
  const subscribe = store.subscribe.bind(store) as (options: SubscribeOptions) => AsyncIterable<SubscriptionItem>;
  const lagging = async function* (options: SubscribeOptions): AsyncGenerator<SubscriptionItem> {
    const withheld: RecordedEvent<DomainEvent>[] = [];
    let hasCaughtUp = false;
    for await (const item of subscribe(options)) {
      if (item !== 'caught-up') withheld.push(item);
      else {
        hasCaughtUp = true;
        yield item;
        await new Promise(setImmediate);
      }
      while (withheld.length > (hasCaughtUp ? 0 : count)) yield withheld.shift() as RecordedEvent;
    }
  };
  store.subscribe = lagging as typeof store.subscribe;
};
