import { fastify, type FastifyInstance } from 'fastify';

import { refusalOf } from './refusal.js';
import { sendRefusal } from './send-refusal.js';

/** A Fastify application without Nest. Unknown paths and errors are answered with the envelope. */
export const createPlainApp = (): FastifyInstance => {
  const app = fastify();
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    done();
  });
  app.setNotFoundHandler((_request, reply) => sendRefusal(reply, refusalOf({ statusCode: 404 })));
  app.setErrorHandler((error, _request, reply) => sendRefusal(reply, refusalOf(error)));
  return app;
};
