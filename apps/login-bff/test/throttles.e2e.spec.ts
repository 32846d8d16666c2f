import { setImmediate as nextTurn } from 'node:timers/promises';

import { loginBffFixture } from './login-bff.fixture.js';

const LIMIT = 5;

let api: Awaited<ReturnType<typeof loginBffFixture>>;

beforeEach(async () => {
  api = await loginBffFixture({ AUTHENTICATION_FAILURE_LIMIT: String(LIMIT), POLL_LIMIT: '70' });
});
afterEach(() => api.close());

const poll = async ({ sessionId, cookie }: { sessionId: string; cookie: string | undefined }, headers: Readonly<Record<string, string>> = {}) =>
  (await api.call('GET', `status?sessionId=${sessionId}`, { cookie, headers })).status;

describe('refusals of one address at the hosted page', () => {
  it.each([
    ['a wrong handoff token', 400, async () => (await api.claim('wrong')).status],
    ['a wrong cookie', 401, () => poll({ sessionId: 'x', cookie: 'wrong' })],
    ['no header', 403, async () => (await api.app.inject('/login-ui/v1/session')).statusCode],
  ])('for %s are answered 429 beyond the limit; a right cookie goes on', async (_, status, attempt) => {
    const login = await api.claimed();
    const answers = await Promise.all(Array.from({ length: 20 }, attempt));
    expect(answers.filter((answered) => answered === status)).toHaveLength(LIMIT);
    expect(answers.filter((status) => status === 429)).toHaveLength(20 - LIMIT);
    expect(await poll(login)).toBe(200);
    expect((await api.claimed()).cookie).toBeDefined();
  });
});

describe('one login cookie', () => {
  it('holds ten long polls: of sixty at once, fifty are answered 429 at once', async () => {
    const login = await api.claimed();
    const answered: number[] = [];
    const polls = Array.from({ length: 60 }, () => poll(login, { prefer: 'wait=30' }).then((status) => answered.push(status)));
    while (answered.length < 50) await nextTurn();
    expect(new Set(answered)).toEqual(new Set([429]));
    api.platform.stop();
    await Promise.all(polls);
    expect(answered.filter((status) => status === 200)).toHaveLength(10);
  });

  it('is asked as often as POLL_LIMIT says, and another one is not held back', async () => {
    const [login, other] = [await api.claimed(), await api.claimed()];
    const answers = await Promise.all(Array.from({ length: 100 }, () => poll(login)));
    expect(answers.filter((status) => status === 200)).toHaveLength(70);
    expect(answers.filter((status) => status === 429)).toHaveLength(30);
    expect(await poll(other)).toBe(200);
  });
});
