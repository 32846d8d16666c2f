import { streamName } from '#engines/event-store';
import { LocatingTokens, type SessionId } from '#kernel';
import { sessionFixture } from '#testkit/platform/session-fixture';
import { type TestPlatform } from '#testkit/platform/test-platform';

import { createLoginBffApp } from '../src/app.js';

interface Call {
  readonly body?: object;
  readonly cookie?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The API of the hosted page, and browsers that call it. */
export const loginBffFixture = async (environment: Readonly<Record<string, string>> = {}, overrides: Partial<TestPlatform> = {}) => {
  const world = await sessionFixture(overrides, environment);
  const { platform, client } = world;
  const app = await createLoginBffApp(platform);

  const call = async (method: 'GET' | 'POST', path: string, options: Call = {}) => {
    const answer = await app.inject({
      method,
      url: `/login-ui/v1/session${path && `/${path}`}`,
      headers: { 'x-service-login': '1', ...(options.cookie && { cookie: `svc_login=${options.cookie}` }), ...options.headers },
      ...(options.body && { payload: options.body }),
    });
    return {
      status: answer.statusCode,
      body: answer.json<Record<string, unknown>>(),
      headers: answer.headers,
      cookie: answer.cookies.find(({ name }) => name === 'svc_login')?.value,
      setCookie: String(answer.headers['set-cookie'] ?? ''),
    };
  };
  /** A stored session and its handoff token. */
  const begin = async (hosted = true): Promise<{ sessionId: SessionId; handoffToken: string }> => {
    const sessionId = await world.begin(client.clientId, hosted ? { handoffExpiresAt: platform.clock.now() + 60_000 } : {});
    const [created] = await platform.eventStore.read(streamName('session', sessionId));
    return { sessionId, handoffToken: new LocatingTokens(platform.keys.token, 'handoff-token').make(sessionId, created?.id ?? '') };
  };
  const claim = (handoffToken: string, cookie?: string) => call('POST', 'claim', { body: { handoffToken }, cookie });

  return {
    ...world,
    app,
    call,
    begin,
    /** A stored session of the client, with other terms. */
    beginWith: world.begin,
    claim,
    /** A login that a browser has claimed, with its cookie. */
    claimed: async () => {
      const login = await begin();
      return { ...login, cookie: (await claim(login.handoffToken)).cookie };
    },
    close: async () => {
      platform.stop();
      await app.close();
      await platform.close();
    },
  };
};
