import type { FastifyReply, FastifyRequest } from 'fastify';

/** specification/login-ui.md#login-cookie */
const NAME = 'svc_login';
const ATTRIBUTES = { httpOnly: true, secure: true, sameSite: 'lax', path: '/login-ui/v1' } as const;

export const readLoginCookie = (request: FastifyRequest): string | undefined => request.cookies[NAME];

export const setLoginCookie = (reply: FastifyReply, value: string): void => {
  reply.setCookie(NAME, value, ATTRIBUTES);
};

export const clearLoginCookie = (reply: FastifyReply): void => {
  reply.clearCookie(NAME, ATTRIBUTES);
};
