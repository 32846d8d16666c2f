import { NO_STREAM, type RecordedEvent, type SubscriptionItem } from '#engines/event-store';
import { event, events, type Fixture } from './fixture.js';

export const subscribingContract = (fixture: Fixture): void => {
  it('hands over all history in order, as it reads, and says when it has caught up', async () => {
    const category = fixture.category();
    const [one, other] = [fixture.stream(category), fixture.stream(category)];
    await fixture.append(one, NO_STREAM, events(2));
    await fixture.append(other, NO_STREAM, events(3));
    await fixture.append(one, 1, events(1));
    const items = await fixture.collect({ categories: [category] }, 6);
    const stored = [...(await fixture.store.read(one)), ...(await fixture.store.read(other))];
    expect(items).toEqual([...stored.toSorted((a, b) => Number(a.position - b.position)), 'caught-up']);
  });

  it('catches up with a category that has no events', async () => {
    expect(await fixture.collect({ categories: [fixture.category()] }, 0)).toEqual(['caught-up']);
  });

  it('goes on with events that are appended after it has caught up', async () => {
    const category = fixture.category();
    const stream = fixture.stream(category);
    await fixture.append(stream, NO_STREAM, [event()]);
    const leave = new AbortController();
    const seen: SubscriptionItem[] = [];
    for await (const item of fixture.store.subscribe({ categories: [category], signal: leave.signal })) {
      const first = !seen.includes(item);
      seen.push(item);
      if (item === 'caught-up' && first) await fixture.append(stream, 0, events(2));
      else if (item !== 'caught-up' && item.revision === 1) await fixture.append(fixture.stream(category), NO_STREAM, [event()]);
      if (recorded(seen).length === 4) leave.abort();
    }
    expect(revisions(seen)).toEqual([0, 'caught-up', 1, 2, 0]);
  });

  it('loses and repeats nothing between history and present while others append', async () => {
    const category = fixture.category();
    const total = 200;
    const writing = Promise.all(
      [1, 2, 3, 4].map(async () => {
        const stream = fixture.stream(category);
        for (let count = 0; count < total / 4; count += 1) await fixture.append(stream, count === 0 ? NO_STREAM : count - 1, [event()]);
      }),
    );
    const subscribers = await Promise.all(
      [0, 1, 5, 20].map(async (appends) => {
        for (let count = 0; count < appends; count += 1) await fixture.append(fixture.stream(), NO_STREAM, [event()]);
        return recorded(await fixture.collect({ categories: [category] }, total));
      }),
    );
    await writing;
    for (const seen of subscribers) {
      expect(seen.map(({ position }) => position)).toEqual(seen.map(({ position }) => position).toSorted((a, b) => Number(a - b)));
      expect(new Set(seen.map(({ id }) => id)).size).toBe(total);
      expect(seen).toEqual(subscribers[0]);
    }
  });

  it('shows only the categories asked for', async () => {
    const [asked, alsoAsked] = [fixture.category(), fixture.category()];
    const longer = `${asked}x`;
    for (const category of [longer, asked, fixture.category(), alsoAsked]) {
      await fixture.append(fixture.stream(category), NO_STREAM, [event({ category })]);
    }
    const seen = recorded(await fixture.collect({ categories: [asked, alsoAsked] }, 2));
    expect(seen.map(({ data }) => data['category'])).toEqual([asked, alsoAsked]);
  });

  it('begins after a position, also inside an append of several events', async () => {
    const category = fixture.category();
    const stream = fixture.stream(category);
    await fixture.append(stream, NO_STREAM, events(4));
    for (const { position, revision } of await fixture.store.read(stream)) {
      const seen = await fixture.collect({ categories: [category], after: position }, 3 - revision);
      expect(revisions(seen)).toEqual([...[1, 2, 3].slice(revision), 'caught-up']);
    }
  });

  it('goes on after the last position over a restart', async () => {
    const category = fixture.category();
    const stream = fixture.stream(category);
    await fixture.append(stream, NO_STREAM, events(3));
    const after = recorded(await fixture.collect({ categories: [category] }, 3)).at(-1)!.position;
    await fixture.reopen();
    await fixture.append(stream, 2, [event()]);
    expect(revisions(await fixture.collect({ categories: [category], after }, 1))).toEqual([3, 'caught-up']);
  });

  it('skips all history when it begins at the end', async () => {
    const category = fixture.category();
    const stream = fixture.stream(category);
    await fixture.append(stream, NO_STREAM, events(3));
    const leave = new AbortController();
    const seen: SubscriptionItem[] = [];
    for await (const item of fixture.store.subscribe({ categories: [category], after: 'end', signal: leave.signal })) {
      const first = !seen.includes(item);
      seen.push(item);
      if (item !== 'caught-up') leave.abort();
      else if (first) await fixture.append(stream, 2, [event()]);
    }
    expect(revisions(seen)).toEqual(['caught-up', 3]);
  });

  it('leaves nothing out for a consumer that is slow', async () => {
    const category = fixture.category();
    const stream = fixture.stream(category);
    const leave = new AbortController();
    const seen: SubscriptionItem[] = [];
    let last = -1;
    for await (const item of fixture.store.subscribe({ categories: [category], signal: leave.signal })) {
      seen.push(item);
      // Each of the first items is answered by a whole batch: the consumer is always behind.
      if (last < 499) ({ revision: last } = await fixture.append(stream, last < 0 ? NO_STREAM : last, events(100)));
      if (recorded(seen).length === 500) leave.abort();
    }
    expect(revisions(seen)).toEqual(['caught-up', ...Array.from({ length: 500 }, (_, revision) => revision)]);
  });

  it('goes on past streams that were tombstoned', async () => {
    const category = fixture.category();
    const [dead, kept] = [fixture.stream(category), fixture.stream(category)];
    await fixture.append(dead, NO_STREAM, events(2));
    await fixture.store.tombstone(dead);
    await fixture.append(kept, NO_STREAM, [event({ kept: true })]);
    const leave = new AbortController();
    for await (const item of fixture.store.subscribe({ categories: [category], signal: leave.signal })) {
      if (item !== 'caught-up' && item.stream === kept) leave.abort();
    }
    expect(leave.signal.aborted).toBe(true);
  });

  it('ends by its signal while it waits', async () => {
    const leave = new AbortController();
    const seen: SubscriptionItem[] = [];
    for await (const item of fixture.store.subscribe({ categories: [fixture.category()], signal: leave.signal })) {
      seen.push(item);
      setImmediate(() => leave.abort());
    }
    expect(seen).toEqual(['caught-up']);
  });

  it('hands over nothing more once its signal is given, in the middle of history', async () => {
    const category = fixture.category();
    await fixture.append(fixture.stream(category), NO_STREAM, events(10));
    const leave = new AbortController();
    const seen: SubscriptionItem[] = [];
    for await (const item of fixture.store.subscribe({ categories: [category], signal: leave.signal })) {
      seen.push(item);
      leave.abort();
    }
    expect(revisions(seen)).toEqual([0]);
  });

  it('hands over nothing when its signal was given before', async () => {
    const category = fixture.category();
    await fixture.append(fixture.stream(category), NO_STREAM, [event()]);
    const seen: SubscriptionItem[] = [];
    for await (const item of fixture.store.subscribe({ categories: [category], signal: AbortSignal.abort() })) seen.push(item);
    expect(seen).toEqual([]);
  });
};

const recorded = (items: readonly SubscriptionItem[]): RecordedEvent[] => items.filter((item) => item !== 'caught-up');

/** The revisions, and the first note: a store may give it again. */
const revisions = (items: readonly SubscriptionItem[]): (number | 'caught-up')[] =>
  items.filter((item, index) => item !== 'caught-up' || items.indexOf(item) === index).map((item) => (item === 'caught-up' ? item : item.revision));
