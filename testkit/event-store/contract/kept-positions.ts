import { type KeptPlace, NO_STREAM, type RecordedEvent, type SubscribeOptions, SubscriptionRefused } from '#engines/event-store';
import { event, events, type Fixture } from './fixture.js';

/** The position to go on after may be one that the store does not have: it was kept from a store that was restored from an older copy since. */
export const keptPositionsContract = (fixture: Fixture): void => {
  const stored = async (category: string, count: number): Promise<readonly RecordedEvent[]> => {
    const stream = fixture.stream(category);
    await fixture.append(stream, NO_STREAM, events(count));
    return fixture.store.read(stream);
  };
  const refusal = (category: string, options: Omit<SubscribeOptions, 'signal' | 'categories'>): Promise<unknown> =>
    fixture.collect({ categories: [category], ...options }, 1).then(
      () => 'accepted',
      (error: unknown) => error,
    );

  const beyond = (last: RecordedEvent | undefined) => [5n, 1_000n, 1_000_000_000n].map((distance) => last!.position + distance);

  it('is refused for good beyond the end: what was appended since the restoration would be skipped', async () => {
    const category = fixture.category();
    const [last] = await stored(category, 1);
    for (const position of beyond(last)) {
      for (const after of [position, { position, id: event().id }]) expect(await refusal(category, { after })).toMatchObject({ reason: 'position' });
    }
    await expect(fixture.store.check()).rejects.toBeInstanceOf(Error);
    await fixture.collect({ categories: [category] }, 1);
    await fixture.store.check();
  });

  it('begins anew where its consumer has chosen so, when it knows nothing that the store has', async () => {
    const category = fixture.category();
    const [first, last] = await stored(category, 3);
    const mark = { position: first!.position, id: event().id };
    for (const after of [...beyond(last), { position: last!.position, id: event().id }, { position: beyond(last)[0]!, id: last!.id, marks: [mark] }])
      expect(await fixture.collect({ categories: [category], after, restored: 'begin-anew' }, 3)).toHaveLength(4);
    await fixture.store.check();
  });

  it.each(['resume', 'begin-anew'] as const)(
    'goes on after the newest mark that the store has, from beyond the end, from another event’s position, and after a lost mark (%s)',
    async (restored) => {
      const category = fixture.category();
      const [first, second, third, fourth] = await stored(category, 4);
      const lost = { position: third!.position, id: event().id };
      const numbers = async (after: KeptPlace): Promise<unknown[]> =>
        (await fixture.collect({ categories: [category], after, restored }, 2)).map((item) => (item === 'caught-up' ? item : item.revision));
      for (const position of beyond(fourth))
        expect(await numbers({ position, id: event().id, marks: [first!, second!] })).toEqual([2, 3, 'caught-up']);
      expect(await numbers({ position: fourth!.position, id: event().id, marks: [first!, second!] })).toEqual([2, 3, 'caught-up']);
      // The event at the place is there, but not what was stored before it: it cannot be the same store.
      expect(await numbers({ position: fourth!.position, id: fourth!.id, marks: [first!, second!, lost] })).toEqual([2, 3, 'caught-up']);
      await fixture.store.check();
    },
  );

  it('goes on after its event while the store has it and the newest mark', async () => {
    const category = fixture.category();
    const [first, second, third] = await stored(category, 4);
    const after = { position: third!.position, id: third!.id, marks: [first!, second!] };
    expect(await fixture.collect({ categories: [category], after, restored: 'refuse' }, 1)).toMatchObject([{ revision: 3 }, 'caught-up']);
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
      { position: last!.position, id: last!.id, marks: [{ position: first!.position, id: last!.id }] },
    ])
      expect(await refusal(category, { after, restored: 'refuse' })).toMatchObject({ reason: 'restored' });
    expect(await refusal(category, { after: { position: first!.position, id: first!.id }, restored: 'refuse' })).toBe('accepted');
    await fixture.store.check();
  });
};
