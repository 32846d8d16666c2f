import { event } from '#testkit/event-store/contract/fixture';
import { open, server, store, stream, took, useTestServer } from '#testkit/event-store/eventstoredb/event-store-on-test-server';
import { SecuredTestServer } from '#testkit/event-store/eventstoredb/secured-test-server';

import { type EventStore, EventStoreUnavailable, NO_STREAM, type StreamAppend, type StreamName } from '../event-store.js';

const to = (name: StreamName): StreamAppend => ({ stream: name, expected: NO_STREAM, events: [event()].map(({ type, data }) => ({ type, data })) });
const both = (): readonly [StreamName, StreamName] => [stream(), stream()];
const together = (names: readonly StreamName[], writing: EventStore = store) =>
  writing.appendTogether(names.map(to), [{ stream: stream(), expected: NO_STREAM }]);
const counts = (names: readonly StreamName[]) => Promise.all(names.map(async (name) => (await store.read(name)).length));

describe('appends to several streams on KurrentDB', () => {
  useTestServer('26.1');

  it.each([
    ['is stored and never answered', { dropAnswers: 1 }],
    ['is neither stored nor answered', { loseAppends: 1 }],
    ['is refused by a server that is starting', { refuseAppends: 1 }],
  ])('are repeated by the same ids when the first try %s, and stored once', async (_, faults) => {
    const names = both();
    await server.set(faults);
    expect(await together(names)).toMatchObject([{ revision: 0 }, { revision: 0 }]);
    expect(await counts(names)).toEqual([1, 1]);
  });

  it('are unavailable within their budget on a frozen server, and go on when it thaws', async () => {
    const names = both();
    await store.check();
    server.freeze();
    expect(await took(together(names))).toBeLessThan(12_000);
    server.thaw();
    await expect(together(both())).resolves.toHaveLength(2);
    const [first, second] = await counts(names);
    expect(first).toBe(second);
  });

  it('go one after the other, and not in silence to half of the streams, once an older server has taken the place', async () => {
    expect(await together(both())).toHaveLength(2);
    await server.kill();
    await server.restart('--dialect', '23.10');
    const names = both();
    expect(await together(names)).toBeUndefined();
    expect(await counts(names)).toEqual([0, 0]);
    await server.kill();
    await server.restart('--dialect', '26.1');
    await store.read(names[0]);
    expect(await together(names)).toHaveLength(2);
  });

  it('go one after the other to streams whose names differ in case alone, which the server takes for one', async () => {
    const name = stream();
    expect(await together([name, name.toUpperCase() as StreamName])).toBeUndefined();
    expect(await counts([name])).toEqual([0]);
  });

  it('are taken by no closed store', async () => {
    const closed = open();
    await closed.close();
    await expect(together(both(), closed)).rejects.toBeInstanceOf(EventStoreUnavailable);
  });
});

it('appends to several streams without the rights are refused at once, and nothing is stored', async () => {
  const secured = await SecuredTestServer.start('26.1');
  const stranger = open(secured.connectionString('app', 'another password'));
  const known = open(secured.connectionString('app'));
  try {
    const names = both();
    await expect(together(names, stranger)).rejects.toBeInstanceOf(EventStoreUnavailable);
    expect(await together(names, known)).toHaveLength(2);
  } finally {
    await Promise.all([stranger.close(), known.close()]);
    await secured[Symbol.asyncDispose]();
  }
});
