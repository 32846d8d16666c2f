import { setImmediate as nextTurn } from 'node:timers/promises';

import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { LocatingTokens, type SessionId } from '#kernel';
import { type SessionFixture, sessionFixture } from '#platform/testing';
import { CODE_CHALLENGE, REDIRECT_URI } from '#session/testing';

import { createLoginBffApp } from '../src/app.js';

const LIMIT = 5;

let world: SessionFixture;
let app: NestFastifyApplication;

beforeEach(async () => {
  world = await sessionFixture({}, { AUTHENTICATION_FAILURE_LIMIT: String(LIMIT), POLL_LIMIT: '70' });
  app = await createLoginBffApp(world.platform);
});
afterEach(async () => {
  world.platform.stop();
  await app.close();
  await world.platform.close();
});

/** The cookie of a claimed login. */
const claimed = async (): Promise<{ sessionId: string; cookie: string }> => {
  const { clock, randomness, keys, eventStore } = world.platform;
  const sessionId = randomness.uuid<SessionId>();
  const now = clock.now();
  await world.append(sessionId, {
    type: 'SessionCreated',
    data: {
      clientId: world.client.clientId,
      signatureType: 'AUTHENTICATION',
      redirectUri: REDIRECT_URI,
      codeChallenge: CODE_CHALLENGE,
      pushStatus: 'NOT_REQUESTED',
      handoffExpiresAt: now + 60_000,
      sealed: world.seal(sessionId, {}),
      at: now,
      expiresAt: now + 120_000,
    },
  });
  const [created] = await eventStore.read(`session-${sessionId}` as never);
  const handoffToken = new LocatingTokens(keys.token, 'handoff-token').make(sessionId, created?.id ?? '');
  const answer = await claim(handoffToken);
  return { sessionId, cookie: answer.cookies.find(({ name }) => name === 'svc_login')!.value };
};

const HEADERS = { 'x-service-login': '1' };
const claim = (handoffToken: string) =>
  app.inject({ method: 'POST', url: '/login-ui/v1/session/claim', headers: HEADERS, payload: { handoffToken } });
const poll = ({ sessionId, cookie }: { sessionId: string; cookie: string }, headers: Record<string, string> = {}) =>
  app.inject({ url: `/login-ui/v1/session/status?sessionId=${sessionId}`, headers: { ...HEADERS, cookie: `svc_login=${cookie}`, ...headers } });

describe('refusals of one address at the hosted page', () => {
  it.each([
    ['a wrong handoff token', 400, () => claim('wrong')],
    ['a wrong cookie', 401, () => poll({ sessionId: 'x', cookie: 'wrong' })],
    ['no header', 403, () => app.inject('/login-ui/v1/session')],
  ])('for %s are answered 429 beyond the limit; a right cookie goes on', async (_, status, attempt) => {
    const login = await claimed();
    const answers = await Promise.all(Array.from({ length: 20 }, attempt));
    expect(answers.filter(({ statusCode }) => statusCode === status)).toHaveLength(LIMIT);
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(20 - LIMIT);
    expect((await poll(login)).statusCode).toBe(200);
    expect((await claimed()).cookie).toBeDefined();
  });
});

describe('one login cookie', () => {
  it('holds ten long polls: of sixty at once, fifty are answered 429 at once', async () => {
    const login = await claimed();
    const answered: number[] = [];
    const polls = Array.from({ length: 60 }, () => poll(login, { prefer: 'wait=30' }).then(({ statusCode }) => answered.push(statusCode)));
    while (answered.length < 50) await nextTurn();
    expect(new Set(answered)).toEqual(new Set([429]));
    world.platform.stop();
    await Promise.all(polls);
    expect(answered.filter((status) => status === 200)).toHaveLength(10);
  });

  it('is asked as often as POLL_LIMIT says, and another one is not held back', async () => {
    const [login, other] = [await claimed(), await claimed()];
    const answers = await Promise.all(Array.from({ length: 100 }, () => poll(login)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(70);
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(30);
    expect((await poll(other)).statusCode).toBe(200);
  });
});
