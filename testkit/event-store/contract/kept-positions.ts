import { NO_STREAM, type RecordedEvent, type SubscribeOptions, SubscriptionRefused } from '#engines/event-store';
import { event, events, type Fixture } from './fixture.js';

/** The position to go on after may be one that the store does not have: it was kept from a store that was restored from an older copy since. */
export const keptPositionsContract = (fixture: Fixture): void => {
  const stored = async (category: string, count: number): Promise<readonly RecordedEvent[]> => {
    const stream = fixture.stream(category);
    await fixture.append(stream, NO_STREAM, events(count));
    return fixture.store.read(stream);
  };
  /** The numbers of 20 events that are appended once the subscription has caught up. */
  const numbersAfter = async (category: string, after: NonNullable<SubscribeOptions['after']>): Promise<unknown[]> => {
    const leave = new AbortController();
    const numbers: unknown[] = [];
    for await (const item of fixture.store.subscribe({ categories: [category], after, signal: leave.signal })) {
      if (item !== 'caught-up') numbers.push(item.data['number']);
      else if (numbers.length === 0)
        for (let number = 0; number < 20; number += 1) await fixture.append(fixture.stream(category), NO_STREAM, [event({ number })]);
      if (numbers.at(-1) === 19) leave.abort();
    }
    return numbers;
  };
  const refusal = (category: string, options: Omit<SubscribeOptions, 'signal' | 'categories'>): Promise<unknown> =>
    fixture.collect({ categories: [category], ...options }, 1).then(
      () => 'accepted',
      (error: unknown) => error,
    );

  it.each([5n, 1_000n, 1_000_000_000n])('hands over every event that comes, when the position lies %s beyond the end', async (distance) => {
    const category = fixture.category();
    const [last] = await stored(category, 1);
    expect(await numbersAfter(category, last!.position + distance)).toEqual(Array.from({ length: 20 }, (_, number) => number));
  });

  it('hands over every event that comes, when the event to go on after lies beyond the end', async () => {
    const category = fixture.category();
    const [last] = await stored(category, 1);
    const after = { position: last!.position + 5n, id: event().id };
    expect(await numbersAfter(category, after)).toEqual(Array.from({ length: 20 }, (_, number) => number));
  });

  it('is refused for good when another event lies at the position of the event to go on after', async () => {
    const category = fixture.category();
    const [first] = await stored(category, 3);
    const refused = await refusal(category, { after: { position: first!.position, id: event().id } });
    expect(refused).toBeInstanceOf(SubscriptionRefused);
    expect(refused).toMatchObject({ reason: 'position' });
    await expect(fixture.store.check()).rejects.toMatchObject({ reason: (refused as Error).message });
    expect(await fixture.collect({ categories: [category], after: { position: first!.position, id: first!.id } }, 2)).toHaveLength(3);
    await fixture.store.check();
  });

  it('is refused to a consumer that asked for it, before it gets an event', async () => {
    const category = fixture.category();
    const [first, last] = await stored(category, 2);
    for (const after of [
      { position: first!.position, id: last!.id },
      { position: last!.position + 1_000_000_000n, id: last!.id },
      last!.position + 1_000_000_000n,
    ])
      expect(await refusal(category, { after, restored: 'refuse' })).toMatchObject({ reason: 'restored' });
    expect(await refusal(category, { after: { position: first!.position, id: first!.id }, restored: 'refuse' })).toBe('accepted');
    await fixture.store.check();
  });
};
