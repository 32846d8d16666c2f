import type { EventStore, RecordedEvent, StreamName } from '#engines/event-store';
import type { EventId } from '#kernel';
import { STORE_DIALECTS } from '#testkit/event-store/store-engines';
import { GUARDED_STREAMS, GUARDED_TYPES, GuardedHistory } from '#testkit/platform/guarded-history';

type Events = readonly RecordedEvent[];

const at = (events: Events, index: number): RecordedEvent => events[index] as RecordedEvent;
const again = (event: RecordedEvent): RecordedEvent => ({ ...event, id: `${event.id.slice(0, -4)}ffff` as EventId });

/** What an intruder makes of three events of a stream, and the revision that the alarm names. */
const ATTACKS: readonly (readonly [string, (events: Events) => Events, number])[] = [
  ['the first event removed', (events) => events.slice(1), 0],
  ['an event in the middle removed', (events) => [at(events, 0), at(events, 2)], 1],
  ['the last event cut off', (events) => events.slice(0, 2), 2],
  ['all but the first event cut off', (events) => events.slice(0, 1), 2],
  ['two events swapped', (events) => [at(events, 0), at(events, 2), at(events, 1)], 1],
  ['an event repeated in the place of the last one', (events) => [at(events, 0), at(events, 1), again(at(events, 1))], 2],
  ['an event repeated behind the last one', (events) => [...events, again(at(events, 1))], 3],
  ['the stream removed', () => [], 2],
];

describe.each(STORE_DIALECTS)('the streams of all guarded types of events, over $engine,', (engine) => {
  let history: GuardedHistory;
  beforeAll(async () => {
    history = await GuardedHistory.open(engine);
    for (const { stream, type } of GUARDED_TYPES) await history.append(history.raw, stream, [type, type, type]);
    await history.checkpoint();
  });
  afterAll(() => history[Symbol.asyncDispose]());
  beforeEach(() => void history.log.reasons.splice(0));

  it('are taken as they are', async () => {
    expect(GUARDED_STREAMS.length).toBeGreaterThan(30);
    const whole = await history.begun(await history.changedCopy((_, events) => events));
    expect([await history.refusedIn(whole), whole.guard.loss, history.log.reasons]).toEqual([[], undefined, []]);
  });

  it.each(ATTACKS)('are refused one by one, and the alarm names each with the revision: %s', async (_, attack, revision) => {
    const change = (stream: StreamName, events: Events): Events => (GUARDED_STREAMS.includes(stream) ? attack(events) : events);
    const attacked = await history.begun(await history.changedCopy(change));
    expect(await history.refusedIn(attacked)).toEqual(GUARDED_STREAMS);
    // What stands behind the last leaf is refused, and replaces nothing.
    expect(attacked.guard.loss !== undefined).toBe(revision < 3);
    const named = (stream: StreamName): boolean =>
      history.log.reasons.some((reason) => reason.startsWith(`${stream} is refused: `) && reason.endsWith(`, revision ${revision}`));
    expect(GUARDED_STREAMS.filter((stream) => !named(stream))).toEqual([]);
  });
});

describe.each(STORE_DIALECTS)(
  'the streams of all guarded types of events that another party takes away by the means of the store, over $engine,',
  (engine) => {
    const MEANS: readonly (readonly [string, (store: EventStore, stream: StreamName) => Promise<unknown>])[] = [
      ['truncated', (store, stream) => store.truncateBefore(stream, 1)],
      ['tombstoned', (store, stream) => store.tombstone(stream)],
    ];

    it.each(MEANS)('are refused one by one, and the alarm names each: %s', async (_, takeAway) => {
      await using history = await GuardedHistory.open(engine);
      for (const { stream, type } of GUARDED_TYPES) await history.append(history.raw, stream, [type, type]);
      await history.checkpoint();
      for (const stream of GUARDED_STREAMS) await takeAway(history.raw, stream);
      history.log.reasons.splice(0);
      const attacked = await history.begun(history.raw);
      expect(await history.refusedIn(attacked)).toEqual(GUARDED_STREAMS);
      expect(attacked.guard.loss).toBeDefined();
      expect(GUARDED_STREAMS.filter((stream) => !history.log.reasons.some((reason) => reason.startsWith(`${stream} is refused: `)))).toEqual([]);
    });
  },
);

describe.each(STORE_DIALECTS)('a store that was put back to an older copy, over $engine,', (engine) => {
  it('is refused as such at the start, and each stream that has gone on since when it is read', async () => {
    await using history = await GuardedHistory.open(engine);
    for (const { stream, type } of GUARDED_TYPES) await history.append(history.raw, stream, [type]);
    await history.checkpoint();
    const older = await history.changedCopy((_, events) => events);
    for (const { stream, type } of GUARDED_TYPES) await history.append(history.raw, stream, [type], 0);
    await history.checkpoint();
    history.log.reasons.splice(0);
    const restored = await history.begun(older);
    expect(restored.guard.loss?.reason).toMatch(/the store is an older copy$/);
    expect(await history.refusedIn(restored)).toEqual(GUARDED_STREAMS);
    const named = (stream: StreamName): boolean =>
      history.log.reasons.some((reason) => new RegExp(`^${stream} is refused: .*, revision 1$`).test(reason));
    expect(GUARDED_STREAMS.filter((stream) => !named(stream))).toEqual([]);
  });
});
