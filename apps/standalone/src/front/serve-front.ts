import type { FastifyInstance } from 'fastify';

import { once } from '#kernel';
import type { Platform } from '#service/platform';

import { servedDocument } from './served-document.js';
import { serveReference } from './serve-reference.js';
import { serveWelcome } from './serve-welcome.js';

/** Serves the welcome at `/`, which belongs to no application. */
export const serveFront = (front: FastifyInstance, { settings }: Platform): Promise<void> => serveWelcome(front, settings);

/** Serves what describes the API: the OpenAPI document and the API reference. */
export const serveDocuments = async (app: FastifyInstance, { settings, randomness }: Platform): Promise<void> => {
  const document = once(() => servedDocument(settings));
  app.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(document()));
  await serveReference(app, randomness);
};
