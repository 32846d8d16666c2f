import { describe, expect, it } from '@jest/globals';

import type { EventId } from '#kernel';
import type { Place, RecordedEvent } from '#engines/event-store';

import { SubscriptionProgress } from './subscription-progress.js';

const event = { position: 7n } as RecordedEvent;
const place = (position: bigint): Place => ({ position, id: `event at ${position}` as EventId });

describe('the progress of a subscription', () => {
  it('is stored once it lies far enough ahead', () => {
    const progress = new SubscriptionProgress(undefined);
    progress.reach(place(9n));
    expect(progress.quiet(10n)).toBeUndefined();
    progress.reach(place(10n));
    expect(progress.quiet(10n)).toEqual(place(10n));
    expect(progress.quiet(10n)).toBeUndefined();
  });

  it('is never stored beyond an event that waits to be applied', () => {
    const progress = new SubscriptionProgress(place(5n));
    progress.handed(event, true);
    progress.reach(place(5_000n));
    expect(progress.quiet(10n)).toBeUndefined();
    // The second one is handed over while the first one is applied.
    progress.handed(event, true);
    progress.applied(1, event);
    expect(progress.quiet(10n)).toBeUndefined();
    progress.applied(1, event);
    expect(progress.quiet(10n)).toEqual(place(5_000n));
  });

  it('stands at the last applied event while others wait, and otherwise at the last place that the store has reported', () => {
    const progress = new SubscriptionProgress(place(5n));
    expect(progress.place).toEqual(place(5n));
    progress.reach(place(6n));
    expect(progress.place).toEqual(place(6n));
    progress.handed(event, true);
    progress.handed({ ...event, position: 8n }, true);
    progress.applied(1, place(7n));
    progress.reach(place(20n));
    expect([progress.isLevel, progress.handedOver, progress.done, progress.place]).toEqual([false, 2, 1, place(7n)]);
    progress.applied(1, place(8n));
    expect([progress.isLevel, progress.place]).toEqual([true, place(20n)]);
  });

  it('passes over the events that do not concern the projection, and is stored beyond them', () => {
    const progress = new SubscriptionProgress(undefined);
    progress.handed(event, true);
    progress.handed({ ...place(5_000n), type: 'Other' } as RecordedEvent, false);
    expect(progress.handedOver).toBe(1);
    expect(progress.quiet(10n)).toBeUndefined();
    progress.applied(1, place(7n));
    expect(progress.quiet(10n)).toEqual(place(5_000n));
  });
});
