import { SystemClock } from '#kernel';
import { event, events } from '#testkit/event-store/contract/fixture';
import { alarms, category, randomness, server, stream, useTestServer } from '#testkit/event-store/eventstoredb/event-store-on-test-server';
import { DIALECTS } from '#testkit/event-store/eventstoredb/grpc-test-server/dialect';
import { eventually } from '#testkit/kernel/eventually';

import { NO_STREAM, type Place, type RecordedEvent } from '../event-store.js';
import { MARK_STREAM } from '../marks/streams.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';

/** A failure without a name is also how 23.10 refuses a position that it does not have. */
describe.each(DIALECTS)('a server of %s whose reads fail for a while without a name', (dialect) => {
  useTestServer(dialect);

  let store: EventStoreDbEventStore;
  let restorations: (Place | undefined)[];
  let leave: AbortController;
  beforeEach(() => {
    restorations = [];
    leave = new AbortController();
    store = new EventStoreDbEventStore({
      connectionString: server.connectionString,
      clock: new SystemClock(),
      randomness,
      alarm: (line) => alarms.push(line),
      restored: (last) => restorations.push(last),
    });
  });
  afterEach(async () => {
    leave.abort();
    // A test that ended early leaves failures that the next one would meet.
    await server.set({ failReads: 0 });
    await store.close();
  });

  const begin = (options: { readonly category: string; readonly after?: Place }) => {
    const seen: RecordedEvent[] = [];
    const following = (async () => {
      const { category: own, after } = options;
      for await (const item of store.subscribe({ categories: [own], signal: leave.signal, ...(after && { after }) }))
        if (item !== 'caught-up') seen.push(item);
    })();
    return { seen, following };
  };
  const mark = async (): Promise<void> => {
    const [last] = await store.read(MARK_STREAM, { direction: 'backwards', limit: 1 });
    await store.append(MARK_STREAM, last?.revision ?? NO_STREAM, [{ type: 'Marked', data: { at: 0, history: '' } }]);
  };

  it.each([1, 3, 4, 7])('was not restored: a subscription that runs goes on after %d of them', async (failures) => {
    const own = category();
    const written = stream(own);
    await mark();
    await store.append(written, NO_STREAM, events(2));
    const { seen, following } = begin({ category: own });
    await eventually(() => seen.length === 2);
    await server.set({ failReads: failures, endSubscriptions: true });
    await store.append(written, 1, [event()]);
    await eventually(() => seen.length === 3, { what: 'the subscription goes on', within: 20_000 });
    expect([restorations, alarms]).toEqual([[], []]);
    leave.abort();
    await following;
  });

  it.each([1, 3, 4, 7])('was not restored: a subscription after a kept place begins after %d of them', async (failures) => {
    const own = category();
    const written = stream(own);
    await store.append(written, NO_STREAM, events(2));
    const [first] = await store.read(written);
    await server.set({ failReads: failures });
    const { seen, following } = begin({ category: own, after: { position: first!.position, id: first!.id } });
    await eventually(() => seen.length === 1, { what: 'the subscription begins', within: 20_000 });
    expect([restorations, alarms]).toEqual([[], []]);
    leave.abort();
    await following;
  });
});
