import { basename, join } from 'node:path';

import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

import { builtPage } from '#web-page';

import { frontHeaders } from './front-headers.js';

export interface AssetsOptions {
  /** The path below which the files are served. Begins and ends with a slash. */
  readonly prefix: string;
  /** Names of files; all others answer 404. Default: every file is served. */
  readonly only?: readonly string[];
}

/** Serves the built files of the front. A file whose name has a hash may be kept for a year. */
export const serveAssets = async (front: FastifyInstance, { prefix, only }: AssetsOptions): Promise<void> => {
  await front.register(fastifyStatic, {
    root: join(builtPage('reference'), 'assets'),
    prefix,
    decorateReply: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    ...(only && { allowedPath: (path: string) => only.includes(basename(path)) }),
    setHeaders: (reply, path) => {
      const hashed = /-[0-9A-Za-z]{8}\.\w+(\.gz)?$/.test(path);
      reply.headers({ ...frontHeaders({}), 'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache' });
    },
  });
};
