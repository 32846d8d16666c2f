import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { FastifyInstance } from 'fastify';

import type { Randomness } from '#kernel';
import { builtPage } from '#web-page';

import { frontHeaders } from './front-headers.js';
import { serveAssets } from './serve-assets.js';

/** Serves the API reference at `/docs/`: Scalar, from the built files, under a policy that names its styles by a nonce of each answer. */
export const serveReference = async (front: FastifyInstance, randomness: Randomness): Promise<void> => {
  const html = readFileSync(join(builtPage('reference'), 'index.html'), 'utf8');
  front.get('/docs', (_request, reply) => reply.redirect('/docs/', 308));
  front.get('/docs/', (_request, reply) => {
    const nonce = randomness.bytes(16).toString('base64');
    const headers = frontHeaders({ script: "'self'", style: `'self' 'nonce-${nonce}'`, connect: "'self'" });
    return reply.headers(headers).type('text/html; charset=utf-8').send(html.replaceAll('%NONCE%', nonce));
  });
  await serveAssets(front, { prefix: '/docs/assets/' });
};
