import { connect, type Socket } from 'node:net';
import { once } from 'node:events';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { epochSeconds } from '#kernel';
import { clientKeysIn } from '#domain/relying-party';
import { eventually } from '#testkit/kernel/eventually';
import { AssertionKey } from '#testkit/openid/assertion-key';
import type { EventReader } from '#testkit/http/event-reader';
import { sessionFixture } from '#testkit/platform/session-fixture';

import { eventsFixture } from './events.fixture.js';

const HAPPENED_AT = '2026-01-01T00:00:00.000Z';

let api: Awaited<ReturnType<typeof eventsFixture>>;
beforeEach(async () => {
  api = await eventsFixture();
});
afterEach(() => api.close());

/** The events of a stream in short: the type, the session and its sequence. */
const inShort = (read: { readonly event: string | undefined; readonly data: unknown } | undefined): readonly unknown[] => {
  if (!read?.data || read.event === 'listening') return [read?.event, read?.data];
  const { data } = JSON.parse((read.data as { body: string }).body) as { data: { sessionId: string; sequence: number } };
  return [read.event, data.sessionId, data.sequence];
};

describe('a client that listens', () => {
  it('hears of a login what its webhook endpoint would get, byte for byte, and nothing else of it', async () => {
    const { status, headers, events } = await api.listen();
    expect([status, headers['content-type'], headers['cache-control'], headers['x-accel-buffering']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      'no-store',
      'no',
    ]);
    expect(await events.next()).toEqual({ id: undefined, event: 'listening', data: { resumed: false } });
    const { sessionId } = await api.login();
    const heard = await events.take(3);
    const ids = heard.map((each) => (each?.data as { id: string }).id);
    const bodyOf = (type: string, status: string, sequence: number): string =>
      JSON.stringify({ type, timestamp: HAPPENED_AT, data: { sessionId, status, signatureType: 'AUTHENTICATION', sequence } });
    expect(heard.map((each) => [each?.event, each?.data])).toEqual([
      ['session.scanned', { id: ids[0], body: bodyOf('session.scanned', 'SCANNED', 1) }],
      ['session.confirmed', { id: ids[1], body: bodyOf('session.confirmed', 'CONFIRMED', 2) }],
      ['session.completed', { id: ids[2], body: bodyOf('session.completed', 'COMPLETED', 3) }],
    ]);
    expect(new Set(ids).size).toBe(3);
    expect(await api.events(sessionId)).toEqual(['SessionCreated', 'SessionScanned', 'SessionConfirmed', 'SessionCompleted']);
    events.close();
  });

  it('hears of the types that it names, the beginning of a session too', async () => {
    const events = await api.listening('?types=session.created,session.cancelled');
    const sessionId = await api.create();
    await api.scan(sessionId);
    expect((await api.call('DELETE', `/session/${sessionId}`)).status).toBe(204);
    expect((await events.take(2)).map(inShort)).toEqual([
      ['session.created', sessionId, 0],
      ['session.cancelled', sessionId, 2],
    ]);
    events.close();
  });

  it('hears nothing of the sessions of others', async () => {
    const [own, others] = [await api.listening(), await api.listening('', {}, api.basic(api.other))];
    const foreign = await api.begin(api.other.clientId);
    await api.scan(foreign);
    const mine = await api.create();
    await api.scan(mine);
    expect(inShort(await own.next())).toEqual(['session.scanned', mine, 1]);
    expect(inShort(await others.next())).toEqual(['session.scanned', foreign, 1]);
    own.close();
    others.close();
  });

  it.each([
    ['a type that there is not', '?types=session.deleted'],
    ['an event that listeners hear nothing of', '?types=session.code_redeemed'],
    ['no type', '?types='],
    ['the parameter twice', '?types=session.scanned&types=session.expired'],
  ])('is told which field is wrong: %s', async (_, query) => {
    const { status, text } = await api.listen(query);
    expect([status, JSON.parse(await text()) as unknown]).toEqual([
      400,
      expect.objectContaining({ errorCode: 'invalid_request', defaultTranslation: expect.stringContaining('`types` must list') }),
    ]);
  });

  it('gets the head alone for HEAD, and counts as no listener', async () => {
    for (let number = 0; number < 8; number++) {
      const answer = await api.app.inject({ method: 'HEAD', url: '/relying-party/v1/events', headers: { authorization: api.basic() } });
      expect([answer.statusCode, answer.body]).toEqual([200, '']);
    }
    (await api.listening()).close();
  });
});

describe('a listener without right credentials', () => {
  it.each([
    ['no credentials', () => ''],
    ['a wrong secret', () => `Basic ${btoa(`${api.client.clientId}:wrong`)}`],
    ["another client's secret", () => `Basic ${btoa(`${api.client.clientId}:${api.other.clientSecret.reveal()}`)}`],
  ])('is refused as every caller is: %s', async (_, authorization) => {
    const { status, text, headers } = await api.listen('', {}, authorization());
    expect([status, await text(), headers['www-authenticate']]).toEqual([401, '', 'Basic realm="Realm"']);
  });

  const relyingParties = () => api.platform.useCases.relyingParties();
  it.each([
    ['is rotated', () => relyingParties().issueSecret.execute(api.client.clientId)],
    ['is of a client that is disabled', () => relyingParties().enableClient.execute(api.client.clientId, false)],
    ['is of a client that is deleted', () => relyingParties().deleteClient.execute(api.client.clientId)],
  ])('hears nothing more once its secret %s: the stream ends', async (_, end) => {
    const [events, others] = [await api.listening(), await api.listening('', {}, api.basic(api.other))];
    const sessionId = await api.create();
    await api.scan(sessionId);
    expect(inShort(await events.next())).toEqual(['session.scanned', sessionId, 1]);
    await end();
    const [mine, theirs] = [await api.begin(api.client.clientId), await api.begin(api.other.clientId)];
    await api.scan(mine);
    await api.scan(theirs);
    expect(await events.next()).toBeUndefined();
    expect(inShort(await others.next())).toEqual(['session.scanned', theirs, 1]);
    expect((await api.listen()).status).toBe(401);
    others.close();
  });

  it('is left when its secret is rotated though nothing happens to its sessions', async () => {
    const quick = await eventsFixture({ times: { idle: 20, life: 3_600_000 } });
    const events = await quick.listening();
    expect(await events.next()).toEqual({ id: undefined, event: undefined, data: undefined });
    await quick.platform.useCases.relyingParties().issueSecret.execute(quick.client.clientId);
    let last = await events.next();
    while (last) last = await events.next();
    expect((await quick.listen()).status).toBe(401);
    await quick.close();
  });
});

describe('a listener that proves itself by a key', () => {
  it('hears until the key is taken from the client, and one assertion begins one stream', async () => {
    const key = new AssertionKey();
    const { changeClient } = api.platform.useCases.relyingParties();
    await changeClient.execute(api.client.clientId, { jwks: clientKeysIn({ keys: [key.jwk] }) });
    const assertion = await key.sign({
      clientId: api.client.clientId,
      audience: 'http://localhost:3000',
      now: epochSeconds(api.platform.clock.now()),
    });
    const events = await api.listening('', {}, `Bearer ${assertion}`);
    expect((await api.listen('', {}, `Bearer ${assertion}`)).status).toBe(401);
    // Longer than an assertion counts.
    api.platform.clock.advance(600_000);
    const sessionId = await api.create();
    await api.scan(sessionId);
    expect(inShort(await events.next())).toEqual(['session.scanned', sessionId, 1]);
    await changeClient.execute(api.client.clientId, { jwks: clientKeysIn({ keys: [new AssertionKey().jwk] }) });
    await api.scan(await api.create());
    expect(await events.next()).toBeUndefined();
  });
});

describe('a listener that comes back', () => {
  it('gets what it has missed, then what happens, and each message once', async () => {
    const first = await api.listening();
    const sessionId = await api.create();
    await api.scan(sessionId);
    await first.next();
    first.close();
    const missed = await api.create();
    await api.confirm(missed);
    await api.scan(await api.begin(api.other.clientId));
    const { events } = await api.listen('', { 'last-event-id': first.lastId ?? '' });
    expect((await events.take(3)).map(inShort)).toEqual([
      ['session.scanned', missed, 1],
      ['session.confirmed', missed, 2],
      ['listening', { resumed: true }],
    ]);
    expect((await api.call('POST', `/session/${missed}/completion`)).status).toBe(200);
    expect(inShort(await events.next())).toEqual(['session.completed', missed, 3]);
    events.close();
  });

  it('gets the same message under the same id', async () => {
    const first = await api.listening();
    const [sessionId, next] = [await api.create(), await api.create()];
    await api.scan(sessionId);
    await first.next();
    const cursor = first.lastId;
    await api.scan(next);
    const known = await first.next();
    first.close();
    const { events } = await api.listen('', { 'last-event-id': cursor ?? '' });
    expect((await events.next())?.data).toEqual(known?.data);
    events.close();
  });

  it.each([
    ['of another client', async () => cursorOf(await api.listening('', {}, api.basic(api.other)), api.other.clientId)],
    ['that is none', async () => 'x'],
    ['that was changed', async () => `${(await cursorOf(await api.listening(), api.client.clientId)).slice(0, -4)}AAAA`],
    ['that is very long', async () => 'x'.repeat(5_000)],
    [
      'that is older than five minutes',
      async () => {
        const cursor = await cursorOf(await api.listening(), api.client.clientId);
        api.platform.clock.advance(300_001);
        return cursor;
      },
    ],
  ])('is told that it may have missed something, with a place %s', async (_, cursor) => {
    const given = await cursor();
    await api.scan(await api.create());
    const { events, status } = await api.listen('', { 'last-event-id': given });
    expect([status, (await events.next())?.data]).toEqual([200, { resumed: false }]);
    events.close();
  });

  const cursorOf = async (events: EventReader, clientId: typeof api.client.clientId): Promise<string> => {
    await api.scan(await api.begin(clientId));
    await events.next();
    events.close();
    return events.lastId ?? '';
  };
});

describe('a service', () => {
  it('has five listeners of a client, refuses a thousand others, and serves its neighbour', async () => {
    const open = await Promise.all(Array.from({ length: 5 }, () => api.listening()));
    const refused = await Promise.all(
      Array.from({ length: 1_000 }, async () => {
        const { status, headers, text } = await api.listen();
        return `${status} ${(JSON.parse(await text()) as { errorCode: string }).errorCode} ${Number(headers['retry-after']) > 0}`;
      }),
    );
    expect([...new Set(refused), refused.length]).toEqual(['429 rate_limited true', 1_000]);
    const others = await api.listening('', {}, api.basic(api.other));
    const [mine, theirs] = [await api.create(), await api.begin(api.other.clientId)];
    await api.scan(mine);
    await api.scan(theirs);
    expect(inShort(await others.next())).toEqual(['session.scanned', theirs, 1]);
    for (const each of open) expect(inShort(await each.next())).toEqual(['session.scanned', mine, 1]);
    for (const each of [...open, others]) each.close();
  });

  it('follows the store for all listeners together by one subscription, and by none without listeners', async () => {
    let running = 0;
    let begun = 0;
    const world = await sessionFixture();
    const { eventStore } = world.platform;
    const subscribe = eventStore.subscribe.bind(eventStore);
    const counted = Object.assign(Object.create(eventStore) as typeof eventStore, {
      subscribe: (options: Parameters<typeof subscribe>[0]) => {
        [running, begun] = [running + 1, begun + 1];
        options.signal.addEventListener('abort', () => (running -= 1), { once: true });
        return subscribe(options);
      },
    });
    const watched = await eventsFixture({ world: { ...world, platform: { ...world.platform, eventStore: counted } } });
    expect([running, begun]).toEqual([0, 0]);
    const open = [await watched.listening(), await watched.listening(), await watched.listening('', {}, watched.basic(watched.other))];
    expect([running, begun]).toEqual([1, 1]);
    for (const each of open) each.close();
    await eventually(() => running === 0, { what: 'the end of the subscription' });
    (await watched.listening()).close();
    await eventually(() => running === 0, { what: 'the end of the second subscription' });
    expect(begun).toBe(2);
    await watched.close();
  });

  it('ends all listeners when it stops', async () => {
    const stopped = await eventsFixture();
    const events = await stopped.listening();
    const closed = stopped.close();
    expect(await events.next()).toBeUndefined();
    await closed;
  });

  it('offers nothing where its setting says so', async () => {
    const off = await eventsFixture({ world: await sessionFixture({}, { WEBHOOK_LISTENING: 'false' }) });
    const { status, text } = await off.listen();
    expect([status, JSON.parse(await text()) as unknown]).toEqual([
      404,
      expect.objectContaining({ errorCode: 'not_found', defaultTranslation: expect.stringContaining('WEBHOOK_LISTENING') }),
    ]);
    await off.close();
  });

  it('keeps no place for a listener whose connection breaks', async () => {
    for (let number = 0; number < 8; number++) {
      const socket: Socket = connect(api.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(`GET /relying-party/v1/events HTTP/1.1\r\nhost: x\r\nauthorization: ${api.basic()}\r\n\r\n`);
      await once(socket, 'data');
      socket.resetAndDestroy();
      await once(socket, 'close');
    }
    await eventually(async () => (await api.listen()).status === 200, { what: 'a place for a listener' });
  });
});
