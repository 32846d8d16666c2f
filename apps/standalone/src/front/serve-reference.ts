import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

import type { Randomness } from '#kernel';
import { builtPage } from '#web-page';

import { frontHeaders } from './front-headers.js';

/** Serves the API reference at `/docs/`: Scalar, from the built files, under a policy that names its styles by a nonce of each answer. */
export const serveReference = async (front: FastifyInstance, randomness: Randomness): Promise<void> => {
  const root = builtPage('reference');
  const html = readFileSync(join(root, 'index.html'), 'utf8');
  front.get('/docs', (_request, reply) => reply.redirect('/docs/', 308));
  front.get('/docs/', (_request, reply) => {
    const nonce = randomness.bytes(16).toString('base64');
    const headers = frontHeaders({ script: "'self'", style: `'self' 'nonce-${nonce}'`, connect: "'self'" });
    return reply.headers(headers).type('text/html; charset=utf-8').send(html.replaceAll('%NONCE%', nonce));
  });
  await front.register(fastifyStatic, {
    root: join(root, 'assets'),
    prefix: '/docs/assets/',
    decorateReply: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = /-[0-9A-Za-z]{8}\.\w+(\.gz)?$/.test(path);
      reply.headers({ ...frontHeaders({}), 'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache' });
    },
  });
};
