import { fastify, type FastifyInstance } from 'fastify';

import { decodableUrl } from './decodable-url.js';
import { parseJsonBodies } from './json-body.js';
import { refusalOf } from './refusal.js';
import { requestId } from './request-id.js';
import { sendRefusal } from './send-refusal.js';
import { refuseUnsoundRequests } from './sound-requests.js';

/** A Fastify application without Nest. Unknown paths and errors are answered with the envelope. */
export const createPlainApp = (): FastifyInstance => {
  const app = fastify({ genReqId: requestId, rewriteUrl: ({ url = '/' }) => decodableUrl(url) });
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    done();
  });
  refuseUnsoundRequests(app);
  parseJsonBodies(app);
  app.setNotFoundHandler((_request, reply) => sendRefusal(reply, refusalOf({ statusCode: 404 })));
  app.setErrorHandler((error, _request, reply) => sendRefusal(reply, refusalOf(error)));
  return app;
};
