import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { type SessionFixture, sessionFixture } from '#testkit/platform/session-fixture';
import { LOGIN } from '#testkit/session/login-request';

import { createSessionApiApp } from '../src/app.js';

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
}

/** The value of the field `properties`. */
export const properties = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The session API, on a store of its own unless a world is given. Calls come from the first client unless another is named. */
export const sessionApiFixture = async (given?: SessionFixture) => {
  const world = given ?? (await sessionFixture());
  const app: NestFastifyApplication = await createSessionApiApp(world.platform);

  const call = async (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    by = world.client,
  ): Promise<Answer> => {
    const answer = await app.inject({
      method,
      url: `/relying-party/v1${path}`,
      headers: { authorization: `Basic ${btoa(`${by.clientId}:${by.clientSecret.reveal()}`)}`, ...headers },
      ...(body !== undefined && { payload: body as object }),
    });
    return { status: answer.statusCode, body: answer.body === '' ? {} : (answer.json() as Record<string, unknown>), headers: answer.headers };
  };
  const create = async (body: Record<string, unknown> = LOGIN): Promise<string> => (await call('POST', '/session', body)).body.sessionId as string;

  return {
    ...world,
    app,
    call,
    create,
    /** A completed login and its code. */
    login: async (body: Record<string, unknown> = LOGIN) => {
      const sessionId = await create(body);
      await world.confirm(sessionId);
      const { redirect } = (await call('POST', `/session/${sessionId}/completion`)).body as { redirect: string };
      return { sessionId, redirect, code: new URL(redirect).searchParams.get('code') ?? '' };
    },
    close: async () => {
      world.platform.stop();
      await app.close();
      await world.platform.close();
    },
  };
};
