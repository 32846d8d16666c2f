import type { FastifyInstance } from 'fastify';

import type { Demo } from '../demo.js';
import { isSecure } from '../demo.js';
import { LANGUAGE_COOKIE } from '../language.js';
import { LANGUAGES } from '../messages/messages.js';

/** A year, in seconds. */
const REMEMBERED = 365 * 24 * 60 * 60;

/** Links at the foot of each page, which work without a script. */
export const languageRoute = (app: FastifyInstance, { origin }: Demo): void => {
  app.get<{ Params: { language: string } }>('/language/:language', { schema: { params: PARAMS } }, (request, reply) => {
    reply.setCookie(LANGUAGE_COOKIE, request.params.language, {
      path: '/',
      maxAge: REMEMBERED,
      sameSite: 'lax',
      httpOnly: true,
      secure: isSecure(origin),
    });
    return reply.redirect(pageOf(request.headers.referer, origin), 303);
  });
};

/** The page of ours that the link was on, else the home page. */
const pageOf = (referer: string | undefined, origin: string): string => {
  if (referer === undefined || !URL.canParse(referer)) return '/';
  const { origin: from, pathname } = new URL(referer);
  // Never "//other.example", which browsers read as another server.
  return from === origin && !pathname.startsWith('//') ? pathname : '/';
};

const PARAMS = { type: 'object', properties: { language: { enum: LANGUAGES } } };
