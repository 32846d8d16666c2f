import type { FastifyInstance } from 'fastify';

import type { Platform } from '#platform';

import { servedDocument } from './served-document.js';
import { serveReference } from './serve-reference.js';
import { serveWelcome } from './serve-welcome.js';

/** Serves the parts that belong to no application: the welcome at `/`, the OpenAPI document and the API reference. */
export const serveFront = async (front: FastifyInstance, { settings, randomness }: Platform): Promise<void> => {
  const document = servedDocument(settings);
  front.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(document));
  serveWelcome(front, settings);
  await serveReference(front, randomness);
};
