import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import type { SessionId } from '#kernel';
import type { Registration } from '#domain/relying-party';
import { type SessionFixture, sessionFixture } from '#testkit/platform/session-fixture';
import { CODE_CHALLENGE, CODE_VERIFIER, REDIRECT_URI } from '#testkit/session/login-request';

import { createOpenIdApp } from '../src/app.js';

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

type Form = Readonly<Record<string, string | undefined>>;

/** The parameters of a request that keeps all rules. */
export const REQUEST = {
  response_type: 'code',
  redirect_uri: REDIRECT_URI,
  scope: 'openid',
  state: 'state of the client',
  nonce: 'nonce of the client',
  code_challenge: CODE_CHALLENGE,
  code_challenge_method: 'S256',
} as const;

/** What the token endpoint gets after {@link REQUEST}. */
export const GRANT = { grant_type: 'authorization_code', redirect_uri: REDIRECT_URI, code_verifier: CODE_VERIFIER } as const;

const encoded = (form: Form): string =>
  new URLSearchParams(Object.entries(form).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]]))).toString();

export const basic = ({ clientId, clientSecret }: Registration): string => `Basic ${btoa(`${clientId}:${clientSecret.reveal()}`)}`;

/** The provider, on a store of its own unless a world is given, with a hosted page and a phone that act by use cases and events. Calls come from the first client. */
export const openIdFixture = async (given?: SessionFixture) => {
  const world = given ?? (await sessionFixture());
  const { platform, client } = world;
  const app: NestFastifyApplication = await createOpenIdApp(platform);
  const page = platform.useCases.loginPageSessions();

  const send = async (request: Parameters<NestFastifyApplication['inject']>[0]): Promise<Answer> => {
    const answer = await app.inject(request as object);
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    return { status: answer.statusCode, body: isJson ? answer.json() : {}, text: answer.body, headers: answer.headers };
  };
  const get = (path: string, form: Form = {}, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    send({ method: 'GET', url: `/openid/${path}${Object.keys(form).length > 0 ? `?${encoded(form)}` : ''}`, headers });
  const post = (path: string, form: Form, headers: Readonly<Record<string, string>> = { authorization: basic(client) }): Promise<Answer> =>
    send({
      method: 'POST',
      url: `/openid/${path}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: encoded(form),
    });
  /** The handoff token with which the answer sends the browser to the login page. */
  const tokenIn = ({ headers }: Answer): string => new URL(String(headers['location'])).searchParams.get('t') ?? '';
  const claim = (token: string) => page.claimHandoff.execute(token, [], {});
  /** Pushes the request and follows it to the login page, which claims the login. */
  const begin = async (form: Form = REQUEST): Promise<SessionId> => {
    const { request_uri } = (await post('par', form)).body as { request_uri: string };
    const { sessionId } = await claim(tokenIn(await get('authorize', { client_id: client.clientId, request_uri })));
    return sessionId;
  };
  const finish = async (sessionId: SessionId): Promise<URL> => {
    await world.confirm(sessionId);
    const session = await platform.useCases.loginPageSessions().completeSession.execute(sessionId, client.clientId);
    return new URL(session);
  };

  return {
    ...world,
    app,
    send,
    get,
    post,
    begin,
    claim,
    tokenIn,
    finish,
    /** A login to its code. */
    login: async (form: Form = REQUEST) => {
      const sessionId = await begin(form);
      const redirect = await finish(sessionId);
      return { sessionId, redirect, code: redirect.searchParams.get('code') ?? '' };
    },
    /** Lets browsers bring the requests of the first client. */
    allowPlainRequests: () => platform.useCases.relyingParties().changeClient.execute(client.clientId, { requirePushedAuthorizationRequests: false }),
    close: async () => {
      platform.stop();
      await app.close();
      await platform.close();
    },
  };
};
