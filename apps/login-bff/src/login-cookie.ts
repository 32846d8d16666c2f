import type { FastifyReply, FastifyRequest } from 'fastify';

import { cookiesIn } from '#service/http';

/** specification/login-ui.md#login-cookie */
const NAME = 'svc_login';
const ATTRIBUTES = { httpOnly: true, secure: true, sameSite: 'lax', path: '/login-ui/v1' } as const;

/** Every value that came: a browser may hold several cookies of the name. */
export const readLoginCookies = (request: FastifyRequest): readonly string[] => cookiesIn(request.headers.cookie, NAME);

export const setLoginCookie = (reply: FastifyReply, value: string): void => {
  reply.setCookie(NAME, value, ATTRIBUTES);
};

export const clearLoginCookie = (reply: FastifyReply): void => {
  reply.clearCookie(NAME, ATTRIBUTES);
};
