import type { FastifyInstance } from 'fastify';

import { once } from '#kernel';
import type { Platform } from '#service/platform';

import { AUDIENCES, servedAudienceDocument, servedDocument } from './served-document.js';
import { serveGuide } from './serve-guide.js';
import { serveReference } from './serve-reference.js';
import { serveWelcome } from './serve-welcome.js';

/** Serves the welcome at `/`, which belongs to no application. */
export const serveFront = (front: FastifyInstance, { settings }: Platform): Promise<void> => serveWelcome(front, settings);

/** The addresses of what describes the service, as prefixes. */
export const DOCUMENT_PREFIXES = ['/docs', '/guide', '/openapi.json', ...AUDIENCES.map((audience) => `/openapi.${audience}.json`)];

/** Serves what describes the service: the OpenAPI documents, whole and for each audience, the API reference and the documentation. */
export const serveDocuments = async (app: FastifyInstance, { settings, randomness }: Platform): Promise<void> => {
  serve(app, '/openapi.json', () => servedDocument(settings));
  for (const audience of AUDIENCES) serve(app, `/openapi.${audience}.json`, () => servedAudienceDocument(audience, settings));
  await serveReference(app, randomness);
  await serveGuide(app);
};

/** Serves a document, which is read for the first request: a start needs none of them. */
const serve = (app: FastifyInstance, path: string, read: () => string): void => {
  const text = once(read);
  app.get(path, (_request, reply) => reply.type('application/json; charset=utf-8').send(text()));
};
