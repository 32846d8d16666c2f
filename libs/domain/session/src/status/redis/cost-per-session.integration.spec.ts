import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';

import { SqliteEventStore, streamName, UnitOfWork } from '#engines/event-store';
import { type ClientId, type IdentityId, type SessionId, type SubjectId, SystemClock } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { SilentLog } from '#telemetry';

import { RedisServer } from '../../../../../../testkit/programs/redis/redis-server.ts';
import type { SessionTerms } from '../../domain/session.events.js';
import { SessionPublication } from '../../integration-events.js';
import { Sessions } from '../../repositories/sessions.js';
import { DEVICE } from '#testkit/session/session-history';
import { RestoreCachedStatus } from '../../use-cases/restore-cached-status.js';
import { RedisStatusCache } from './redis-status-cache.js';
import { commandCalls } from '#testkit/session/status/command-calls';

const POLLS = 10;

(process.env['REDIS_URL'] === undefined ? describe.skip : describe)('the Redis commands of a login', () => {
  let server: RedisServer;
  let admin: Redis;
  const clock = new SystemClock();

  beforeAll(async () => {
    server = await RedisServer.open({ directory: await mkdtemp(join(tmpdir(), 'redis-')) });
    await server.start();
    admin = new Redis(server.url);
  });
  afterAll(async () => {
    admin.disconnect();
    await server.remove();
  });

  const commands = (work: () => Promise<unknown>) => commandCalls(admin, work);

  const newTerms = (): SessionTerms => ({
    clientId: randomUUID() as ClientId,
    signatureType: 'AUTHENTICATION',
    pushStatus: 'NOT_REQUESTED',
    sealed: '',
    expiresAt: clock.now() + 120_000,
  });

  const newReplica = async (store: SqliteEventStore) => {
    const cache = new RedisStatusCache({ url: server.url, clock, log: new SilentLog(), history: () => '' });
    const answers = (): Promise<boolean> =>
      cache.get(randomUUID() as SessionId).then(
        () => true,
        () => false,
      );
    await eventually(answers, { within: 20_000 });
    const sessions = new Sessions(new UnitOfWork(store, clock), { statusCache: cache });
    return { cache, sessions, restoreStatus: new RestoreCachedStatus(sessions, cache, clock) };
  };

  it.each([1, 2, 8])('are the same with %i replicas: each request goes to the next one, each message to one of them', async (count) => {
    const store = new SqliteEventStore({ path: ':memory:', clock });
    const replicas = await Promise.all(Array.from({ length: count }, () => newReplica(store)));
    let turn = 0;
    const next = () => replicas[turn++ % count]!;
    const login = async (): Promise<SessionId> => {
      const id = randomUUID() as SessionId;
      await next().sessions.create(id, newTerms());
      for (let poll = 0; poll < POLLS; poll += 1) expect((await next().cache.get(id))?.status).toBe('PENDING');
      const person = { identityId: randomUUID() as IdentityId, subjectIds: [randomUUID() as SubjectId] };
      await next().sessions.handle(id, { type: 'ScanSession', deviceId: DEVICE, ...person, sealed: '' });
      await next().sessions.handle(id, { type: 'ConfirmSession', deviceId: DEVICE, signature: '', codeTtl: 60_000, buildTtl: 60_000 });
      await next().sessions.handle(id, { type: 'CompleteSession' });
      return id;
    };
    await Promise.all(replicas.map(({ sessions }) => sessions.create(randomUUID() as SessionId, newTerms()))); // each has loaded the script
    const costs = await commands(async () => {
      const id = await login();
      const publication = new SessionPublication(store);
      for (const event of await store.read(streamName('session', id))) {
        const message = (await publication.message(event))!;
        await next().restoreStatus.execute({ sessionId: id, revision: message.esrevision, at: message.data.at });
      }
    });
    expect(costs).toEqual({ evalsha: 4, set: 4, spublish: 4, get: 4 + POLLS + 4 });
    await Promise.all(replicas.map(({ cache }) => cache.close()));
    await store.close();
  });
});
