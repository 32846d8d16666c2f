import { SqliteEventStore, streamName } from '#engines/event-store';
import { LaggingEventStore } from '#testkit/event-store/lagging-event-store';
import { type EventId } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { GroupOffset } from './group-offset.js';

const GROUP = { topic: 'things', group: 'group' };

let store: SqliteEventStore;
beforeEach(() => {
  store = new SqliteEventStore({ path: ':memory:', clock: new FixedClock() });
});
afterEach(() => store.close());

const load = (over: SqliteEventStore | LaggingEventStore = store) => GroupOffset.load({ store: over, clock: new FixedClock() }, GROUP);
const place = (position: bigint) => ({ position, id: `event-${position}` as EventId });
const committed = async () => (await load()).position;

describe('the offset of a consumer group', () => {
  it('is 0 before the first commit', async () => {
    expect(await committed()).toBe(0n);
  });

  it('is kept in the store, as the last event of its stream', async () => {
    const offset = await load();
    await offset.commit(place(7n));
    await offset.commit(place(9n));
    expect(await committed()).toBe(9n);
    expect(await store.read(streamName('busoffset', 'things.group'))).toHaveLength(1);
  });

  it('keeps the event and the marks of the store before it, by which a restored copy shows where to go on', async () => {
    const marks = [place(3n), place(6n)];
    store.marksUpTo = () => marks;
    const offset = await load();
    expect(offset.after).toBe(0n);
    await offset.commit(place(7n));
    for (const one of [offset, await load()]) expect(one.after).toEqual({ ...place(7n), marks });
  });

  it('does not move for a position that lies behind it', async () => {
    const offset = await load();
    await offset.commit(place(9n));
    await offset.commit(place(7n));
    expect(await committed()).toBe(9n);
  });

  it('moves back once after a restoration of the store, which may lack the place that was committed last', async () => {
    const offset = await load();
    await offset.commit(place(9n));
    offset.restored();
    await offset.commit(place(4n));
    expect(await committed()).toBe(4n);
    await offset.commit(place(3n));
    expect(await committed()).toBe(4n);
  });

  it('does not move back when another member of the group is ahead', async () => {
    const [ahead, behind] = [await load(), await load()];
    await ahead.commit(place(9n));
    await behind.commit(place(7n));
    expect(await committed()).toBe(9n);
    expect(behind.position).toBe(9n);
  });

  it('moves on from the offset of another member of the group', async () => {
    const [ahead, behind] = [await load(), await load()];
    await behind.commit(place(7n));
    await ahead.commit(place(9n));
    expect(await committed()).toBe(9n);
  });

  it('does not move back while the commit of another member cannot be read yet', async () => {
    const ahead = await load();
    await ahead.commit(place(5n));
    const behind = await load(new LaggingEventStore(store, 2));
    await ahead.commit(place(9n));
    await behind.commit(place(7n));
    expect(await committed()).toBe(9n);
  });
});
