import { describe, expect, it } from '@jest/globals';

import type { RecordedEvent, SubscriptionItem } from '#event-store';

import { SubscriptionProgress } from './subscription-progress.js';

const event = { position: 7n } as RecordedEvent;

async function* items(...given: SubscriptionItem[]): AsyncGenerator<SubscriptionItem, void, void> {
  yield* given;
}

describe('the progress of a subscription', () => {
  it('is stored once it lies far enough ahead', () => {
    const progress = new SubscriptionProgress(undefined);
    progress.reach(9n);
    expect(progress.quiet(10n)).toBeUndefined();
    progress.reach(10n);
    expect(progress.quiet(10n)).toBe(10n);
    expect(progress.quiet(10n)).toBeUndefined();
  });

  it('is never stored beyond an event that waits to be applied', async () => {
    const progress = new SubscriptionProgress(5n);
    const counted = progress.counted(items(event, event));
    await counted.next();
    progress.reach(5_000n);
    expect(progress.quiet(10n)).toBeUndefined();
    // The second one is handed over while the first one is applied.
    await counted.next();
    progress.applied(1, 7n);
    expect(progress.quiet(10n)).toBeUndefined();
    progress.applied(1, 7n);
    expect(progress.quiet(10n)).toBe(5_000n);
  });
});
