import { connect } from 'node:net';
import { once } from 'node:events';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { InvalidRequest } from '#kernel';
import { EventReader, getOver, textOf } from '#testkit/http/event-reader';

import { createPlainApp, type HttpServer, sendEvents, serve, type ServerSentEvent } from './index.js';

let server: HttpServer;
let stopping: AbortController;
/** What the route sends, and what it was told. */
let events: (signal: AbortSignal) => AsyncIterable<ServerSentEvent>;
let stands: (() => Promise<boolean>) | undefined;
let ended: PromiseWithResolvers<unknown>;

beforeEach(async () => {
  stopping = new AbortController();
  stands = undefined;
  ended = Promise.withResolvers();
  const app = createPlainApp();
  app.get('/events', async (request, reply) => {
    if (stands) request.stands = stands;
    await sendEvents(request, reply, { stopping: stopping.signal, stalled: 50 }, (signal) => events(signal)).finally(() => ended.resolve(undefined));
  });
  server = await serve({ host: '127.0.0.1', port: 0, mounts: [], fallback: app });
});
afterEach(async () => {
  stopping.abort();
  await server.close();
});

const get = () => getOver(`http://127.0.0.1:${server.port}/events`, {});

describe('a stream of events', () => {
  it('carries the fields that an event has, each event as soon as it is there', async () => {
    const second = Promise.withResolvers<void>();
    events = async function* () {
      yield { id: '1', event: 'a', data: '{}' };
      await second.promise;
      yield { id: '2' };
      yield {};
    };
    const answer = await get();
    const [first] = (await once(answer, 'data')) as [Buffer];
    expect(first.toString()).toBe('id: 1\nevent: a\ndata: {}\n\n');
    second.resolve();
    expect(await textOf(answer)).toBe('id: 2\n\n:\n\n');
  });

  it('answers what the first event throws as a refusal', async () => {
    events = async function* () {
      yield* [] as ServerSentEvent[];
      throw new InvalidRequest('a field is wrong');
    };
    const answer = await get();
    expect([answer.statusCode, JSON.parse(await textOf(answer))]).toEqual([400, expect.objectContaining({ errorCode: 'invalid_request' })]);
  });

  it('breaks off at a later error', async () => {
    const read = Promise.withResolvers<void>();
    events = async function* () {
      yield { data: '1' };
      await read.promise;
      throw new Error('broken');
    };
    const reader = new EventReader(await get());
    expect(await reader.next()).toMatchObject({ data: 1 });
    read.resolve();
    await expect(reader.next()).rejects.toThrow('aborted');
  });

  it.each([
    ['no longer hold', async () => false],
    ['cannot be judged', async () => Promise.reject(new Error('no store'))],
  ])('ends before the next event when the credentials %s', async (_, judge) => {
    let judged = 0;
    stands = () => (judged++ === 0 ? Promise.resolve(true) : judge());
    events = async function* () {
      yield { data: '1' };
      yield { data: '2' };
    };
    expect([await textOf(await get()), judged]).toEqual(['data: 1\n\n', 2]);
  });

  it('ends when the service stops', async () => {
    events = async function* (signal) {
      yield { data: '1' };
      await once(signal, 'abort');
      yield { data: '2' };
    };
    const answer = await get();
    await once(answer, 'data');
    stopping.abort();
    expect(await textOf(answer)).toBe('');
  });

  it('holds what one write takes for a reader that reads nothing, and leaves it', async () => {
    let made = 0;
    let returned = false;
    const data = 'x'.repeat(100_000);
    events = async function* () {
      try {
        for (;;) {
          made += 1;
          yield { data };
        }
      } finally {
        returned = true;
      }
    };
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.pause();
    socket.write('GET /events HTTP/1.1\r\nhost: x\r\n\r\n');
    await ended.promise;
    // The system takes some megabytes for a connection on one machine.
    expect([made < 300, returned]).toEqual([true, true]);
    socket.destroy();
  });

  it('ends the work for a reader that goes away', async () => {
    const over = Promise.withResolvers<string>();
    events = async function* (signal) {
      yield { data: '1' };
      await once(signal, 'abort');
      over.resolve('over');
    };
    const answer = await get();
    await once(answer, 'data');
    answer.destroy();
    expect(await over.promise).toBe('over');
  });
});
