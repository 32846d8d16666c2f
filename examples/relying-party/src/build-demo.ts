import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import fastifyCookie from '@fastify/cookie';
import fastifyFormBody from '@fastify/formbody';
import fastifyStatic from '@fastify/static';
import { fastify, type FastifyInstance } from 'fastify';

import { createDemo, isSecure } from './demo.js';
import type { DemoOptions } from './demo-options.js';
import { failureMessage } from './failure-message.js';
import { requireSameOrigin } from './same-origin.js';
import { accountRoutes } from './routes/account.js';
import { languageRoute } from './routes/language.js';
import { homeRoutes } from './routes/home.js';
import { liveRoutes } from './routes/live.js';
import { callbackRoute } from './routes/callback.js';
import { pageSender } from './routes/send-page.js';
import { signingRoutes } from './routes/signing.js';
import { waitingRoutes } from './routes/waiting.js';
import { webhookRoute, WEBHOOKS } from './routes/webhooks.js';
import { securityHeaders } from './security-headers.js';
import { MESSAGES, messagePage } from './views/message.js';

/** The demo as a server that does not listen yet. Throws a TypeError for options that would not be safe. */
export const buildDemo = async (options: DemoOptions): Promise<FastifyInstance> => {
  const closing = new AbortController();
  const demo = createDemo(options, closing.signal);
  const send = pageSender(demo);
  const headers = securityHeaders(options.service.loginUrl, isSecure(options.origin));

  const app = fastify({ bodyLimit: 16 * 1024, exposeHeadRoutes: false });
  app.addHook('onRequest', async (_request, reply) => void reply.headers(headers));
  // Before the first page that may be answered: the cookies hold its language.
  await app.register(fastifyCookie, { secret: cookieSecret(options) });
  app.addHook(
    'onRequest',
    requireSameOrigin(options.origin, [WEBHOOKS], (reply) => send(reply, messagePage(MESSAGES.FOREIGN_FORM), 403)),
  );
  app.addHook('preClose', async () => closing.abort());
  app.setErrorHandler((error, _request, reply) => {
    const message = failureMessage(error, demo.log);
    return send(reply, messagePage(message), message.status);
  });
  app.setNotFoundHandler((_request, reply) => send(reply, messagePage(MESSAGES.NOT_FOUND), 404));

  await app.register(fastifyFormBody);
  await app.register(fastifyStatic, {
    root: join(demo.assets.directory, 'assets'),
    prefix: '/assets/',
    cacheControl: false,
    setHeaders: (reply, path) => void reply.header('cache-control', path.endsWith('.svg') ? 'max-age=3600' : 'public, max-age=31536000, immutable'),
  });
  homeRoutes(app, demo);
  languageRoute(app, demo);
  waitingRoutes(app, demo);
  callbackRoute(app, demo);
  signingRoutes(app, demo);
  accountRoutes(app, demo);
  webhookRoute(app, demo);
  liveRoutes(app, demo);
  return app;
};

const cookieSecret = ({ cookieSecret: given, clientSecret }: DemoOptions): string => {
  if (given === undefined) return randomBytes(32).toString('base64url');
  if (given.length < 32) throw new TypeError('cookieSecret must have at least 32 characters');
  if (given === clientSecret) throw new TypeError('cookieSecret must be another secret than clientSecret');
  return given;
};
