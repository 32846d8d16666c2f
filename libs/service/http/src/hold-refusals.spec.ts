import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';

import { RateLimited } from '#engines/rate-limit';

import { holdRefusals } from './hold-refusals.js';
import { refusalOf } from './refusal.js';

describe('a caller that goes on although it was told to wait', () => {
  let app: FastifyInstance;
  /** The refusals that are held now, each with what lets it go. */
  let held: PromiseWithResolvers<void>[];
  let pauses: number[];

  beforeEach(() => {
    [held, pauses] = [[], []];
    app = fastify();
    app.decorateRequest('refusal');
    holdRefusals(app, (milliseconds) => {
      pauses.push(milliseconds);
      held.push(Promise.withResolvers());
      return held.at(-1)!.promise;
    });
    app.get('/fine', async () => ({}));
    app.get('/refused', (request, reply) => {
      request.refusal = refusalOf(new RateLimited('a test', 1, 60));
      void reply.code(request.refusal.status).headers(request.refusal.headers!).send({ errorCode: 'rate_limited' });
    });
    app.get('/forbidden', (request, reply) => {
      request.refusal = { status: 403, errorCode: 'forbidden' };
      void reply.code(403).send({});
    });
  });
  afterEach(() => app.close());

  const ask = async (url: string, remoteAddress = '192.0.2.1') => app.inject({ url, remoteAddress });
  const askTimes = async (times: number, url = '/refused', address?: string): Promise<void> => {
    for (let time = 0; time < times; time += 1) await ask(url, address);
  };

  it('is answered at once twenty times, and then after a second with the same answer', async () => {
    await askTimes(20);
    expect(pauses).toEqual([]);
    const late = ask('/refused');
    let isAnswered = false;
    void late.then(() => (isAnswered = true));
    await ask('/fine');
    expect([pauses, isAnswered]).toEqual([[1_000], false]);
    held[0]!.resolve();
    const { statusCode, headers, body } = await late;
    expect([statusCode, headers['retry-after'], body]).toEqual([429, '60', '{"errorCode":"rate_limited"}']);
  });

  it('waits for no other answer, and no other caller waits', async () => {
    await askTimes(20);
    await askTimes(30, '/forbidden');
    await askTimes(30, '/fine');
    await askTimes(20, '/refused', '192.0.2.2');
    expect(pauses).toEqual([]);
  });

  it('waits for one network as one caller', async () => {
    await askTimes(10, '/refused', '2001:db8::1');
    await askTimes(10, '/refused', '2001:db8::2');
    void ask('/refused', '2001:db8::3');
    await ask('/fine');
    expect(pauses).toHaveLength(1);
    held[0]!.resolve();
  });

  it('does not make the process keep more than a thousand answers', async () => {
    await askTimes(20);
    const late = Array.from({ length: 1_000 }, () => ask('/refused'));
    await ask('/fine');
    expect(held).toHaveLength(1_000);
    expect((await ask('/refused')).statusCode).toBe(429);
    for (const each of held) each.resolve();
    await Promise.all(late);
    expect(held).toHaveLength(1_000);
  });
});
