import { type DomainEvent, ServiceUnavailable, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { decideAndAppend, type LastEvent, readLast } from './decide-and-append.js';
import { NO_STREAM, type StreamName, streamName, type WrongExpectedRevision } from './event-store.js';
import { SqliteEventStore } from './sqlite/sqlite-event-store.js';

const randomness = new SystemRandomness();
let clock: FixedClock;
let store: SqliteEventStore;
let stream: StreamName;
beforeEach(() => {
  clock = new FixedClock();
  store = new SqliteEventStore({ path: ':memory:', clock, randomness });
  stream = streamName('thing', randomness.uuid());
});
afterEach(() => store.close());

type Counted = DomainEvent<'Counted', { readonly total: number }>;
const counted = (total: number): Counted => ({ type: 'Counted', data: { total } });

describe('decideAndAppend', () => {
  const load = () => readLast<Counted>(store, stream);
  const addOne = ({ last }: LastEvent<Counted>) => [counted((last?.data.total ?? 0) + 1)];

  it('appends the decided events, and answers the state that they were decided on', async () => {
    await decideAndAppend({ store, clock }, stream, { load, decide: addOne });
    const { loaded, appended, revision } = await decideAndAppend({ store, clock }, stream, { load, decide: addOne });
    expect(loaded.last).toMatchObject({ revision: 0, data: { total: 1 } });
    expect(revision).toBe(1);
    expect(await store.read(stream, { from: 1 })).toMatchObject(appended);
    expect(appended).toMatchObject([{ data: { total: 2 } }]);
  });

  it('appends nothing when nothing is decided', async () => {
    const { appended, revision } = await decideAndAppend({ store, clock }, stream, { load, decide: () => [] });
    expect({ appended, revision }).toEqual({ appended: [], revision: NO_STREAM });
    expect(await store.read(stream)).toEqual([]);
  });

  it('loads and decides again on a conflict, which it hands to the load', async () => {
    const conflicts: (WrongExpectedRevision | undefined)[] = [];
    await decideAndAppend({ store, clock }, stream, {
      load: (conflict) => (conflicts.push(conflict), load()),
      decide: async (loaded) => {
        if (conflicts.length === 1) await store.append(stream, NO_STREAM, [counted(10)]);
        return addOne(loaded);
      },
    });
    expect(conflicts).toEqual([undefined, expect.objectContaining({ expected: NO_STREAM, actual: 0 })]);
    expect(await store.read(stream)).toMatchObject([{ data: { total: 10 } }, { data: { total: 11 } }]);
  });

  it('never appends at a revision that it has not loaded', async () => {
    await store.append(stream, NO_STREAM, [counted(1)]);
    let loads = 0;
    const deciding = decideAndAppend<LastEvent<Counted>, Counted>({ store, clock }, stream, {
      // The first two reads lag behind the stream.
      load: async () => ((loads += 1) < 3 ? { last: undefined, revision: NO_STREAM } : load()),
      decide: addOne,
    });
    expect((await deciding).appended).toMatchObject([{ data: { total: 2 } }]);
    expect(loads).toBe(3);
  });

  it('gives up when it has lost races for five seconds', async () => {
    let tries = 0;
    const contended = decideAndAppend<LastEvent<Counted>, Counted>({ store, clock }, stream, {
      load,
      decide: async ({ revision }) => {
        tries += 1;
        clock.advance(1_000);
        await store.append(stream, revision, [counted(0)]);
        return [counted(1)];
      },
    });
    await expect(contended).rejects.toBeInstanceOf(ServiceUnavailable);
    await expect(contended).rejects.toMatchObject({ reason: `${stream} stayed contended` });
    expect(tries).toBe(5);
  });

  it('passes on an error of the decision', async () => {
    const refusal = new Error('refused');
    const refuse = (): never => {
      throw refusal;
    };
    await expect(decideAndAppend({ store, clock }, stream, { load, decide: refuse })).rejects.toBe(refusal);
    expect(await store.read(stream)).toEqual([]);
  });
});
