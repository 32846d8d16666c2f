import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';

import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { type ClientId, ServiceUnavailable, sha256 } from '#kernel';
import { MemoryRateLimits } from '#engines/rate-limit';
import { Metrics } from '#telemetry';

import { basicAuthentication, bearerAuthentication, createHttpApp, FailureThrottle } from './index.js';
import { envelope, ID, MemoryLog, OrderModule } from '#testkit/http/orders';

/** Failures of an address in a minute. */
const LIMIT = 20;

const refusalsIn = (log: MemoryLog) => log.lines.filter(({ fields }) => fields?.['reason'] !== undefined);

describe('Basic authentication', () => {
  const CLIENT = '0d5e1d0a-30c4-4d0a-8f43-1c2a7d3f9e10';
  let guarded: NestFastifyApplication;
  let log: MemoryLog;
  let checked: string[];
  let remembers: boolean;

  beforeEach(async () => {
    checked = [];
    remembers = false;
    const isRight = (clientId: ClientId, secretHash: Buffer) => clientId === CLIENT && secretHash.equals(sha256('pässword:1'));
    const clients = {
      execute: async (clientId: ClientId, secretHash: Buffer) => {
        checked.push(`${clientId} ${secretHash.toString('hex')}`);
        if (secretHash.equals(sha256('down'))) throw new ServiceUnavailable('no answer from the store');
        return isRight(clientId, secretHash) ? { name: 'Shop' } : undefined;
      },
      recent: (clientId: ClientId, secretHash: Buffer) => (remembers && isRight(clientId, secretHash) ? { name: 'Shop' } : undefined),
    };
    log = new MemoryLog();
    guarded = await createHttpApp(OrderModule, {
      log,
      metrics: new Metrics(),
      onRequest: [basicAuthentication(clients, new FailureThrottle(new MemoryRateLimits(), 'failures', LIMIT))],
    });
  });
  afterEach(() => guarded.close());

  const header = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
  const RIGHT = header(`${CLIENT}:pässword:1`);

  it('gives the client to the controller', async () => {
    for (const authorization of [RIGHT, RIGHT.replace('Basic', 'bAsIc'), header(`${CLIENT.toUpperCase()}:pässword:1`)]) {
      expect((await guarded.inject({ url: '/v1/who', headers: { authorization } })).json()).toEqual({ name: 'Shop' });
    }
  });

  it('asks the store only for a client that is not known without it', async () => {
    await guarded.inject({ url: '/v1/who', headers: { authorization: RIGHT } });
    expect(checked).toHaveLength(1);
    remembers = true;
    expect((await guarded.inject({ url: '/v1/who', headers: { authorization: RIGHT } })).json()).toEqual({ name: 'Shop' });
    expect(checked).toHaveLength(1);
    expect((await guarded.inject({ url: '/v1/who', headers: { authorization: header(`${CLIENT}:wrong`) } })).statusCode).toBe(401);
    expect(checked).toHaveLength(2);
  });

  it('lets no refused request go on while a hook holds its answer', async () => {
    const held = Promise.withResolvers<void>();
    const reached: string[] = [];
    const holding = await createHttpApp(OrderModule, {
      log,
      metrics: new Metrics(),
      onRequest: [
        basicAuthentication(
          { execute: async () => undefined, recent: () => undefined },
          new FailureThrottle(new MemoryRateLimits(), 'failures', LIMIT),
        ),
      ],
      configure: (fastify) => {
        fastify.addHook('preParsing', async ({ url }) => void reached.push(url));
        fastify.addHook('onSend', async (_request, _reply, payload) => held.promise.then(() => payload));
      },
    });
    const refused = holding.inject({ url: '/v1/who', headers: { authorization: RIGHT } });
    // As many turns of the event loop as a request takes that goes on.
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    held.resolve();
    expect([(await refused).statusCode, reached]).toEqual([401, []]);
    await holding.close();
  });

  it('judges each request of a connection by its own header', async () => {
    await guarded.listen(0, '127.0.0.1');
    const port = (guarded.getHttpServer().address() as AddressInfo).port;
    const socket = connect(port, '127.0.0.1');
    const answers: string[] = [];
    socket.on('data', (bytes: Buffer) => answers.push(...(bytes.toString().match(/HTTP\/1\.1 \d+/g) ?? [])));
    const given = [RIGHT, RIGHT, header(`${CLIENT}:wrong`), undefined, RIGHT];
    for (const [index, authorization] of given.entries()) {
      socket.write(`GET /v1/who HTTP/1.1\r\nHost: a.example\r\n${authorization === undefined ? '' : `Authorization: ${authorization}\r\n`}\r\n`);
      while (answers.length <= index) await once(socket, 'data');
    }
    socket.destroy();
    expect(answers.map((line) => line.slice(-3))).toEqual(['200', '200', '401', '401', '200']);
  });

  it.each([
    ['no header', undefined],
    ['another scheme', 'Bearer abc'],
    ['no credentials after the scheme', 'Basic '],
    ['invalid base64', 'Basic !!!'],
    ['base64url', `Basic ${Buffer.from(`${CLIENT}:ÿÿ>>`).toString('base64url')}`],
    ['no colon', header(CLIENT)],
    ['invalid UTF-8', `Basic ${Buffer.from(`${CLIENT}:\xff`, 'latin1').toString('base64')}`],
    ['a client_id that is no UUID', header('shop:pässword:1')],
    ['an unknown client_id', header(`${ID}:pässword:1`)],
    ['a wrong secret', header(`${CLIENT}:wrong`)],
  ])('refuses %s, always with the same answer', async (_, authorization) => {
    const answer = await guarded.inject({ url: '/v1/who', headers: authorization === undefined ? {} : { authorization } });
    expect([answer.statusCode, answer.body]).toEqual([401, '']);
    expect(answer.headers['www-authenticate']).toBe('Basic realm="Realm"');
    expect(answer.headers['content-length']).toBe('0');
    expect(answer.headers).not.toHaveProperty('content-type');
  });

  it('tells the log, and only the log, why it refuses', async () => {
    await guarded.inject('/v1/who');
    await guarded.inject({ url: '/v1/who', headers: { authorization: header(`${CLIENT}:wrong`) } });
    for (let i = 0; i < LIMIT; i++) await guarded.inject('/v1/who');
    const told = refusalsIn(log).map(({ fields }) => [fields?.['errorCode'], fields?.['reason']]);
    expect(told[0]).toEqual(['unauthorized', 'no client credentials']);
    expect(told[1]).toEqual(['unauthorized', 'wrong client credentials']);
    expect(told.at(-1)).toEqual(['rate_limited', 'too many failures from this address']);
  });

  it('is checked before the body, the path and the method', async () => {
    const broken = { headers: { 'content-type': 'application/json' }, payload: '{' };
    const answers = [
      await guarded.inject({ method: 'POST', url: '/v1/order', ...broken }),
      await guarded.inject({ method: 'POST', url: '/v1/nothing', ...broken }),
      await guarded.inject({ method: 'OPTIONS', url: '/v1/order', headers: { origin: 'https://a.example' } }),
      await guarded.inject({ method: 'GET', url: '/v1/%zz' }),
      await guarded.inject({ method: 'GET', url: '//v1//who' }),
      await guarded.inject({ method: 'GET', url: `/v1/order/${'x'.repeat(5000)}` }),
    ];
    for (const answer of answers) {
      expect([answer.statusCode, answer.body]).toEqual([401, '']);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it('is not required on an open route', async () => {
    expect((await guarded.inject('/v1/open')).statusCode).toBe(200);
  });

  it('answers 503 when the credentials cannot be checked', async () => {
    expect((await guarded.inject({ url: '/v1/who', headers: { authorization: header(`${CLIENT}:down`) } })).statusCode).toBe(503);
  });

  it('answers a failure beyond the limit of an address with the same 401, which says when to come back, and never limits correct credentials', async () => {
    const first = await guarded.inject('/v1/who');
    for (let i = 1; i < LIMIT; i++) expect((await guarded.inject('/v1/who')).headers).not.toHaveProperty('retry-after');
    for (const authorization of [undefined, header(`${CLIENT}:wrong`), header(`${ID}:wrong`), 'Bearer abc']) {
      const beyond = await guarded.inject({ url: '/v1/who', headers: authorization === undefined ? {} : { authorization } });
      expect([beyond.statusCode, beyond.body]).toEqual([401, '']);
      const { 'retry-after': retryAfter, 'x-request-id': _, date: __, ...headers } = beyond.headers;
      expect(Object.keys(headers).toSorted()).toEqual(
        Object.keys(first.headers)
          .filter((name) => name in headers)
          .toSorted(),
      );
      expect(headers['www-authenticate']).toBe('Basic realm="Realm"');
      // The rest of the minute that began with the first failure.
      expect(retryAfter).toMatch(/^([45]\d|60)$/);
    }
    expect((await guarded.inject({ url: '/v1/who', headers: { authorization: RIGHT } })).statusCode).toBe(200);
    expect((await guarded.inject({ url: '/v1/who', remoteAddress: '10.0.0.2' })).headers).not.toHaveProperty('retry-after');
  });

  it('compares a wrong secret beyond the limit as often as a right one', async () => {
    for (let i = 0; i < LIMIT; i++) await guarded.inject('/v1/who');
    for (const pair of [`${CLIENT}:wrong`, `${CLIENT}:pässword:1`]) {
      checked = [];
      await guarded.inject({ url: '/v1/who', headers: { authorization: header(pair) } });
      expect(checked).toHaveLength(1);
    }
  });

  it('counts one IPv6 network as one address', async () => {
    for (let i = 0; i < LIMIT; i++) await guarded.inject({ url: '/v1/who', remoteAddress: `2001:db8::${i.toString(16)}` });
    expect((await guarded.inject({ url: '/v1/who', remoteAddress: '2001:db8:0:0:ffff::1' })).headers).toHaveProperty('retry-after');
    expect((await guarded.inject({ url: '/v1/who', remoteAddress: '2001:db8:0:1::1' })).headers).not.toHaveProperty('retry-after');
  });

  it('counts mapped IPv4 addresses apart', async () => {
    for (let i = 0; i < LIMIT; i++) await guarded.inject({ url: '/v1/who', remoteAddress: '::ffff:192.0.2.1' });
    expect((await guarded.inject({ url: '/v1/who', remoteAddress: '::ffff:192.0.2.1' })).headers).toHaveProperty('retry-after');
    expect((await guarded.inject({ url: '/v1/who', remoteAddress: '::ffff:192.0.2.2' })).headers).not.toHaveProperty('retry-after');
  });
});

describe('Bearer authentication', () => {
  const holderOf = (right: string) => async (token: string) => {
    compared += 1;
    return token === right ? { name: 'staff' } : undefined;
  };
  let compared = 0;
  let guarded: NestFastifyApplication;
  let log: MemoryLog;
  beforeAll(async () => {
    log = new MemoryLog();
    guarded = await createHttpApp(OrderModule, {
      log,
      metrics: new Metrics(),
      onRequest: [bearerAuthentication(holderOf('t0ken'), new FailureThrottle(new MemoryRateLimits(), 'failures', LIMIT))],
    });
  });
  afterAll(() => guarded.close());

  it.each(['Bearer t0ken', 'bearer t0ken', 'BEARER   t0ken', 'Bearer t0ken  '])('accepts %p', async (authorization) => {
    expect((await guarded.inject({ url: '/v1/orders', headers: { authorization } })).statusCode).toBe(200);
  });

  it.each([
    undefined,
    't0ken',
    'Bearer ',
    'Bearert0ken',
    'Bearer t0ke',
    'Bearer t0ken2',
    'Bearer t0ken x',
    'Bearer x t0ken',
    'xBearer t0ken',
    'Basic t0ken',
  ])('refuses %p with the envelope', async (authorization) => {
    const answer = await guarded.inject({ url: '/v1/nothing', headers: authorization === undefined ? {} : { authorization } });
    expect([answer.statusCode, answer.json()]).toEqual([401, envelope('unauthorized')]);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="admin"');
  });

  it('tells the log why it refuses, and compares nothing without a token', async () => {
    compared = 0;
    log.lines.length = 0;
    await guarded.inject({ url: '/v1/orders', remoteAddress: '192.0.2.77' });
    expect(compared).toBe(0);
    await guarded.inject({ url: '/v1/orders', headers: { authorization: 'Bearer wrong' }, remoteAddress: '192.0.2.77' });
    expect(compared).toBe(1);
    expect(refusalsIn(log).map(({ fields }) => fields?.['reason'])).toEqual(['no bearer token', 'unknown bearer token']);
  });

  it('is not required on an open route', async () => {
    expect((await guarded.inject('/v1/open')).statusCode).toBe(200);
  });

  it('is not required where an earlier hook has found who calls', async () => {
    const person = async (request: { principal?: unknown }): Promise<void> => {
      request.principal = { name: 'Mari' };
    };
    const app = await createHttpApp(OrderModule, {
      log: new MemoryLog(),
      metrics: new Metrics(),
      onRequest: [person, bearerAuthentication(holderOf('t0ken'), new FailureThrottle(new MemoryRateLimits(), 'failures', LIMIT))],
    });
    expect((await app.inject('/v1/who')).json()).toEqual({ name: 'Mari' });
    await app.close();
  });

  describe('a guesser', () => {
    let attacked: NestFastifyApplication;
    const call = (token: string, remoteAddress = '192.0.2.1') =>
      attacked.inject({ url: '/v1/orders', headers: { authorization: `Bearer ${token}` }, remoteAddress });

    beforeEach(async () => {
      compared = 0;
      attacked = await createHttpApp(OrderModule, {
        log: new MemoryLog(),
        metrics: new Metrics(),
        onRequest: [bearerAuthentication(holderOf('t0ken'), new FailureThrottle(new MemoryRateLimits(), 'failures', LIMIT))],
      });
    });
    afterEach(() => attacked.close());

    it.each([
      ['the port of the connection', (at: number) => `203.0.113.10:${41_000 + at}`],
      ['the port behind an IPv6 address', (at: number) => `[2001:db8::${at.toString(16)}]:${41_000 + at}`],
      ['no address at all', (at: number) => `caller-${at}`],
    ])('is not another one with each request behind a trusted proxy that writes %s', async (_, forwarded) => {
      const app = await createHttpApp(OrderModule, {
        log: new MemoryLog(),
        metrics: new Metrics(),
        trustedProxies: ['10.0.0.0/8'],
        onRequest: [bearerAuthentication(holderOf('t0ken'), new FailureThrottle(new MemoryRateLimits(), 'failures', LIMIT))],
      });
      const guess = (at: number, by = forwarded(at)) =>
        app.inject({
          url: '/v1/orders',
          headers: { authorization: 'Bearer wrong', 'x-forwarded-for': `198.51.100.${at}, ${by}` },
          remoteAddress: '10.0.0.1',
        });
      const statuses = await Promise.all(Array.from({ length: 3 * LIMIT }, async (_, at) => (await guess(at)).statusCode));
      expect(statuses.filter((status) => status === 401)).toHaveLength(LIMIT);
      expect(statuses.filter((status) => status === 429)).toHaveLength(2 * LIMIT);
      expect((await guess(1, '203.0.113.99:41000')).statusCode).toBe(401);
      await app.close();
    });

    it('may have twenty tokens compared in a minute, however many it sends at once; then the right one is refused too', async () => {
      const answers = await Promise.all(Array.from({ length: 200 }, (_, at) => call(`wrong-${at}`)));
      expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(LIMIT);
      expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(200 - LIMIT);
      expect(compared).toBe(LIMIT);
      expect((await call('t0ken')).statusCode).toBe(429);
      expect(compared).toBe(LIMIT);
    });

    it('does not keep staff at another address out', async () => {
      for (let i = 0; i <= LIMIT; i++) await call('wrong');
      expect((await call('t0ken', '192.0.2.2')).statusCode).toBe(200);
    });

    it('right tokens are not counted, not even many at once', async () => {
      for (let i = 0; i < 4; i++) {
        const answers = await Promise.all(Array.from({ length: LIMIT }, () => call('t0ken')));
        expect(answers.filter(({ statusCode }) => statusCode !== 200)).toEqual([]);
      }
    });
  });
});
