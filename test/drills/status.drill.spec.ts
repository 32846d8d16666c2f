import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { SpawnedTestServer } from '#testkit/event-store/eventstoredb/spawned-test-server';
import { eventually } from '#testkit/kernel/eventually';

import { RedisServer } from '../../testkit/programs/redis/redis-server.ts';
import { exchange, expectOk, type Login, pause, RelyingParty, runDirectory, type Service, StandaloneService } from '../support/index.js';
import { SlowLink } from './support/slow-link.js';

const WAIT = { prefer: 'wait=30' };
/** The consumer of the other process writes a missed status within this time (specification/reliability.md#drill-27). Milliseconds. */
const WRITTEN_WITHIN = 10_000;

/** Two processes on one event store and one Redis. The second one reaches Redis over a line that can be cut. */
let store: SpawnedTestServer | undefined;
let redis: RedisServer;
let link: SlowLink;
let one: StandaloneService;
let other: StandaloneService;
let client: RelyingParty;

beforeAll(async () => {
  store = process.env['ESDB_URL'] ? undefined : await SpawnedTestServer.start();
  redis = await RedisServer.open({ directory: await mkdtemp(join(tmpdir(), 'redis-')) });
  await redis.start();
  const { hostname: host, port } = new URL(redis.url);
  link = await SlowLink.open({ host, port: Number(port) });
  const settings = { ...(store && { ESDB_URL: store.connectionString }), KEY_DIR: `${runDirectory()}/keys`, SANDBOX: 'false', LOG_LEVEL: 'warn' };
  one = await StandaloneService.start('status-1', { ...settings, REDIS_URL: redis.url });
  other = await StandaloneService.start('status-2', { ...settings, REDIS_URL: `redis://127.0.0.1:${link.port}` });
  client = await RelyingParty.register(one);
});

afterAll(async () => {
  link?.close();
  await Promise.all([one?.kill(), other?.kill()]);
  await redis?.remove();
  await store?.[Symbol.asyncDispose]();
});

/** A call to one of the processes. */
const call = (service: Service, method: string, { sessionId }: Pick<Login, 'sessionId'>, path = '', headers: Record<string, string> = {}) =>
  exchange(service.baseUrls[0]!, {
    method,
    path: `/relying-party/v1/session/${sessionId}${path}`,
    headers: { authorization: client.authorization, ...headers },
  });
const statusOf = async (service: Service, login: Login): Promise<unknown> => expectOk(await call(service, 'GET', login, '/status'))['status'];

describe('kill -9 between an append and the write of the status', () => {
  it('the consumer of another process writes the missed status, and wakes the calls that wait for it', async () => {
    const login = await client.login();
    expect(await statusOf(other, login)).toBe('PENDING');
    const waiting = call(one, 'GET', login, '/status', WAIT);
    await pause(500);

    link.cut();
    const cancelled = performance.now();
    expect((await call(other, 'DELETE', login)).status).toBe(204);
    await other.kill();

    expect(expectOk(await waiting)['status']).toBe('CANCELLED');
    const woken = Math.round(performance.now() - cancelled);
    await eventually(async () => (await statusOf(one, login)) === 'CANCELLED', { what: 'a poll shows it', within: WRITTEN_WITHIN });
    console.log(`woken ${woken} ms after the request whose process died`);
    expect(woken).toBeLessThan(WRITTEN_WITHIN);
    link.mend();
    await other.restart();
  });
});

describe('a process that is cut off from Redis', () => {
  it('answers from the store, never longer than before, and the missed statuses are written once the line is back', async () => {
    const login = await client.login();
    link.cut();
    try {
      const began = performance.now();
      expect(await statusOf(other, login)).toBe('PENDING');
      expect(performance.now() - began).toBeLessThan(15_000); // before the connection is back
      expect((await call(other, 'DELETE', login)).status).toBe(204);
      expect(await statusOf(other, login)).toBe('CANCELLED');
    } finally {
      link.mend();
    }
    await eventually(async () => (await statusOf(one, login)) === 'CANCELLED', { what: 'the other process shows it', within: WRITTEN_WITHIN });
  });

  it('answers its waiting polls by reading the store', async () => {
    const login = await client.login();
    const waiting = call(other, 'GET', login, '/status', WAIT);
    await pause(500);
    link.cut();
    try {
      expect((await call(one, 'DELETE', login)).status).toBe(204);
      expect(expectOk(await waiting)['status']).toBe('CANCELLED');
    } finally {
      link.mend();
    }
  });
});

describe('kill -9 of Redis', () => {
  it('while polls wait and others ask: none fails, none goes backwards, and waiting polls are answered', async () => {
    const logins = await Promise.all(Array.from({ length: 10 }, () => client.login()));
    const waiting = Promise.all(logins.map((login, index) => call(index % 2 ? one : other, 'GET', login, '/status', WAIT)));
    await pause(500);
    await redis.kill();
    for (const login of logins) expect(await statusOf(one, login)).toBe('PENDING');
    for (const login of logins) expect((await call(one, 'DELETE', login)).status).toBe(204);
    for (const login of logins) expect([await statusOf(one, login), await statusOf(other, login)]).toEqual(['CANCELLED', 'CANCELLED']);
    for (const answer of await waiting) expect(expectOk(answer)['status']).toBe('CANCELLED');
    await redis.start();
    const giveUpAt = performance.now() + 3_000;
    while (performance.now() < giveUpAt) for (const login of logins) expect(await statusOf(other, login)).toBe('CANCELLED');
  });
});
