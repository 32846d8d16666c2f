import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { ClientId, SessionId } from '#kernel';
import { sessionFixture } from '#testkit/platform/session-fixture';

import { listening } from '../listening/listening-use-cases.js';
import { MissedMessages } from '../listening/missed-messages.js';
import type { ListenerItem, ListenToSessions } from './listen-to-sessions.js';

const HOUR = 3_600_000;
const ALL: ReadonlySet<string> = new Set(['session.created', 'session.scanned']);

let world: Awaited<ReturnType<typeof sessionFixture>>;
let listen: ListenToSessions;
let connection: AbortController;
let reported: unknown[];
beforeEach(async () => {
  world = await sessionFixture();
  connection = new AbortController();
  reported = [];
  listen = listening({ ...world.platform, times: { idle: 10, life: HOUR }, report: (error) => reported.push(error) }).listenToSessions;
});
afterEach(async () => {
  world.platform.stop();
  await world.platform.close();
});

const begin = (clientId = world.client.clientId, cursor?: string) => listen.execute({ clientId, types: ALL, cursor, signal: connection.signal });
const next = async (items: AsyncGenerator<ListenerItem>): Promise<ListenerItem> => {
  const { value, done } = await items.next();
  if (done) throw new Error('the stream ended');
  return value as ListenerItem;
};
/** The next item that is no sign of life. */
const message = async (items: AsyncGenerator<ListenerItem>): Promise<ListenerItem> => {
  const item = await next(items);
  return item.kind === 'idle' ? message(items) : item;
};
const sessionOf = (item: ListenerItem): unknown =>
  item.kind === 'message' && (JSON.parse(item.body) as { data: { sessionId: string } }).data.sessionId;
const many = async (count: number, clientId: ClientId = world.client.clientId): Promise<readonly SessionId[]> => {
  const sessions: SessionId[] = [];
  for (let number = 0; number < count; number++) sessions.push(await world.begin(clientId));
  return sessions;
};

describe('a listener', () => {
  it('that reads nothing is left after five hundred messages, and holds no more', async () => {
    const items = begin();
    expect(await next(items)).toMatchObject({ kind: 'listening' });
    await many(501);
    const read = [];
    for await (const item of items) read.push(item);
    expect(read).toEqual([]);
  });

  it('that reads late gets five hundred messages, in order', async () => {
    const items = begin();
    await next(items);
    const sessions = await many(500);
    const read = [];
    for (let number = 0; number < 500; number++) read.push(sessionOf(await next(items)));
    expect(read).toEqual(sessions);
    await items.return();
  });

  it('gets a place with each sign of life, and goes on there though only others have done anything', async () => {
    const items = begin();
    await next(items);
    await many(1, world.other.clientId);
    let idle = await next(items);
    while (!idle.cursor) idle = await next(items);
    expect(idle.kind).toBe('idle');
    await items.return();
    const [missed] = await many(1);
    const again = begin(undefined, idle.cursor);
    expect([sessionOf(await next(again)), await next(again)]).toEqual([missed, { kind: 'listening', resumed: true, cursor: expect.any(String) }]);
    await again.return();
  });

  it('ends after an hour', async () => {
    const items = begin();
    await next(items);
    world.platform.clock.advance(HOUR);
    await many(1);
    expect((await items.next()).done).toBe(true);
  });

  it('may begin thirty times a minute', async () => {
    for (let number = 0; number < 30; number++) {
      const items = begin();
      await next(items);
      await items.return();
    }
    await expect(begin().next()).rejects.toMatchObject({ code: 'rate_limited', reason: 'the client begins to listen too often' });
    const others = begin(world.other.clientId);
    expect(await next(others)).toMatchObject({ kind: 'listening' });
    await others.return();
  });

  it('finds no place where two hundred listen', async () => {
    const open = [];
    for (let number = 0; number < 200; number++) {
      const clientId = world.platform.randomness.uuid<ClientId>();
      const items = begin(clientId);
      await next(items);
      open.push(items);
    }
    await expect(begin().next()).rejects.toMatchObject({ code: 'rate_limited', reason: 'the process has too many listeners' });
    await open[0]?.return();
    expect(await next(begin())).toMatchObject({ kind: 'listening' });
    for (const items of open) await items.return();
  });
});

describe('a listener that comes back', () => {
  const cursor = async (): Promise<string> => {
    const items = begin();
    await next(items);
    await many(1);
    const { cursor: place } = await message(items);
    await items.return();
    return place ?? '';
  };

  it('is told of no more than five hundred messages that it has missed', async () => {
    const place = await cursor();
    const missed = await many(500);
    const items = begin(undefined, place);
    const read = [];
    for (let number = 0; number < 500; number++) read.push(sessionOf(await next(items)));
    expect([read, await next(items)]).toEqual([missed, expect.objectContaining({ kind: 'listening', resumed: true })]);
    await items.return();
    await many(1);
    const tooLate = begin(undefined, place);
    expect(await next(tooLate)).toMatchObject({ kind: 'listening', resumed: false });
    await tooLate.return();
  });

  it('has a bounded number of events read for it, whosever they are', async () => {
    const [first] = await world.platform.eventStore.read(`session-${await world.begin(world.client.clientId)}` as never);
    if (!first) throw new Error('no event');
    await many(3, world.other.clientId);
    const at = (most: number) => new MissedMessages(world.platform, most).after(first, world.client.clientId, connection.signal);
    expect([await at(3), await at(2)]).toEqual([[], undefined]);
  });

  it('goes on nowhere in a store that lacks its place, and the store stays ready', async () => {
    const place = await cursor();
    const elsewhere = await sessionFixture();
    const there = listening({ ...elsewhere.platform, sealer: world.platform.sealer, report: () => undefined }).listenToSessions;
    const items = there.execute({ clientId: world.client.clientId, types: ALL, cursor: place, signal: connection.signal });
    expect(await next(items)).toMatchObject({ kind: 'listening', resumed: false });
    await elsewhere.platform.eventStore.check();
    await items.return();
    elsewhere.platform.stop();
    await elsewhere.platform.close();
  });
});

describe('given a store that ends the subscription', () => {
  it('ends the listeners and reports the error; the next listener begins another subscription', async () => {
    const { eventStore } = world.platform;
    let failing = true;
    const failed = Promise.withResolvers<never>();
    failed.promise.catch(() => undefined);
    const subscribe: typeof eventStore.subscribe = (options) => (failing ? (failAfter(failed.promise) as never) : eventStore.subscribe(options));
    const store = Object.assign(Object.create(eventStore) as typeof eventStore, { subscribe });
    const { listenToSessions } = listening({ ...world.platform, eventStore: store, report: (error) => reported.push(error) });
    const run = () => listenToSessions.execute({ clientId: world.client.clientId, types: ALL, cursor: undefined, signal: connection.signal });
    const items = run();
    expect(await next(items)).toMatchObject({ kind: 'listening' });
    const broken = new Error('the file is gone');
    failed.reject(broken);
    expect((await items.next()).done).toBe(true);
    expect(reported).toEqual([broken]);
    failing = false;
    const again = run();
    expect(await next(again)).toMatchObject({ kind: 'listening' });
    await again.return();
  });
});

async function* failAfter(failure: Promise<never>): AsyncGenerator<'caught-up', void, void> {
  yield 'caught-up';
  await failure;
}
