import { connect } from 'node:net';
import { once } from 'node:events';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';

import { oneCallAtATime } from './one-call-at-a-time.js';

describe('the calls of one caller', () => {
  let app: FastifyInstance;
  /** The calls that have reached the handler, each with what lets it be answered. */
  let begun: { readonly name: string; readonly answer: () => void }[];

  beforeEach(() => {
    begun = [];
    app = fastify({ forceCloseConnections: true });
    app.addHook(
      'onRequest',
      oneCallAtATime(({ headers }) => (headers['x-caller'] === undefined ? undefined : { principal: String(headers['x-caller']) })),
    );
    app.get('/:name', async (request) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      begun.push({ name: (request.params as { name: string }).name, answer: resolve });
      await promise;
      return {};
    });
  });
  afterEach(() => app.close());

  const ask = (name: string, caller?: string) => app.inject({ url: `/${name}`, headers: caller === undefined ? {} : { 'x-caller': caller } }).then();
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const names = () => begun.map(({ name }) => name);

  it('wait for one another, in their order', async () => {
    const answers = ['first', 'second', 'third'].map((name) => ask(name, 'a'));
    for (const [index, answered] of answers.entries()) {
      await turns();
      expect(names()).toEqual(['first', 'second', 'third'].slice(0, index + 1));
      begun[index]!.answer();
      expect((await answered).statusCode).toBe(200);
    }
  });

  it('wait for no call of another caller, and not where they count for no one', async () => {
    const answers = [ask('a1', 'a'), ask('b1', 'b'), ask('nobody1'), ask('nobody2')];
    await turns();
    expect(names().toSorted()).toEqual(['a1', 'b1', 'nobody1', 'nobody2']);
    for (const { answer } of begun) answer();
    await Promise.all(answers);
  });

  it('do not wait for callers who have gone', async () => {
    await app.listen({ port: 0, host: '127.0.0.1' });
    const open = (name: string) => {
      const socket = connect((app.server.address() as { port: number }).port, '127.0.0.1');
      socket.write(`GET /${name} HTTP/1.1\r\nHost: a.example\r\nX-Caller: a\r\n\r\n`);
      return socket;
    };
    const reached = async (count: number): Promise<void> => {
      while (begun.length < count) await new Promise((resolve) => setImmediate(resolve));
    };
    const first = open('first');
    await reached(1);
    const second = open('second');
    await once(second, 'connect');
    await turns();
    for (const gone of [second, first]) {
      gone.destroy();
      await once(gone, 'close');
    }
    const third = open('third');
    await turns();
    begun[0]!.answer();
    while (!names().includes('third')) {
      await new Promise((resolve) => setImmediate(resolve));
      begun.at(-1)!.answer();
    }
    third.destroy();
  });
});
