import { withParts } from '#testkit/platform/test-platform';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { eventually } from '#testkit/kernel/eventually';
import { redisReplicas } from '#testkit/rate-limit/redis-replicas';
import { someAddress } from '#testkit/rate-limit/some-address';

import { createLoginBffApp } from '../src/app.js';
import { loginBffFixture } from './login-bff.fixture.js';

const url = process.env['REDIS_URL'];
const LIMIT = 5;
const POLLS = 7;
const ATTEMPTS = 20;

(url === undefined ? describe.skip : describe)('two replicas of the hosted page with one Redis', () => {
  let first: Awaited<ReturnType<typeof loginBffFixture>>;
  let replicas: readonly NestFastifyApplication[];
  let closing: readonly (() => unknown)[] = [];

  beforeEach(async () => {
    const [one, other] = await redisReplicas(url ?? '');
    first = await loginBffFixture({ AUTHENTICATION_FAILURE_LIMIT: String(LIMIT), POLL_LIMIT: String(POLLS) }, { rateLimits: one });
    const second = await createLoginBffApp(withParts(first.platform, { rateLimits: other }));
    replicas = [first.app, second];
    closing = [() => second.close(), () => first.close(), () => one.close(), () => other.close()];
  });
  afterEach(async () => {
    for (const close of closing) await close();
  });

  interface Attempt {
    readonly method?: 'GET' | 'POST';
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly payload?: object;
  }

  /** The statuses of attempts that one address makes at once, at one replica and the other in turn. */
  const statuses = async ({ method = 'GET', path, headers = { 'x-service-login': '1' }, payload }: Attempt, remoteAddress = someAddress()) => {
    const answers = Array.from({ length: ATTEMPTS }, (_, at) =>
      replicas[at % 2]!.inject({ method, url: `/login-ui/v1/session${path}`, headers, remoteAddress, ...(payload && { payload }) }),
    );
    return (await Promise.all(answers)).map(({ statusCode }) => statusCode);
  };
  const how = (many: readonly number[], status: number): number => many.filter((each) => each === status).length;
  const poll = async (): Promise<Attempt> => {
    const { sessionId, cookie } = await first.claimed();
    return { path: `/status?sessionId=${sessionId}`, headers: { 'x-service-login': '1', cookie: `svc_login=${cookie}` } };
  };

  it.each<[string, number, Attempt]>([
    ['a wrong handoff token', 400, { method: 'POST', path: '/claim', payload: { handoffToken: 'wrong' } }],
    ['a wrong cookie', 401, { path: '/status?sessionId=x', headers: { 'x-service-login': '1', cookie: 'svc_login=wrong' } }],
    ['no header', 403, { path: '', headers: {} }],
  ])('refuse an address for %s as often as one would', async (_, status, attempt) => {
    let answered: readonly number[] = [];
    // A replica to which Redis answers too late counts for itself.
    await eventually(
      async () => {
        answered = await statuses(attempt);
        return how(answered, 429) === ATTEMPTS - LIMIT;
      },
      { what: () => `${LIMIT} of these pass: ${answered.join(' ')}` },
    );
    expect(how(answered, status)).toBe(LIMIT);
  });

  it('let a right cookie go on at an address that is refused', async () => {
    const address = someAddress();
    await statuses({ path: '', headers: {} }, address);
    const { path, headers = {} } = await poll();
    for (const replica of replicas) {
      const { statusCode } = await replica.inject({ url: `/login-ui/v1/session${path}`, headers, remoteAddress: address });
      expect(statusCode).toBe(200);
    }
  });

  it('answer the polls of one cookie as often as POLL_LIMIT says, wherever they come from', async () => {
    let answered: readonly number[] = [];
    await eventually(
      async () => {
        answered = await statuses(await poll());
        return how(answered, 200) === POLLS;
      },
      { what: () => `${POLLS} of these pass: ${answered.join(' ')}` },
    );
    expect(how(answered, 429)).toBe(ATTEMPTS - POLLS);
  });
});
