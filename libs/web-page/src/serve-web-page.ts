import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { compressed } from './compressed.js';
import { allowingInline } from './security-headers.js';

export interface WebPage {
  /** The page's public address; its path is where the page is mounted. */
  readonly url: string;
  /** The built files: `index.html`, `assets/` with hashed names, and files that need a fixed name. */
  readonly directory: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The configuration of the page. It is public: it is part of the page's source. */
  readonly config: Readonly<Record<string, string | number | undefined>>;
}

const CONFIG_PLACEHOLDER = '%CONFIG%';

/**
 * Mounts a built page on a server. `index.html` is answered from memory with its configuration inside. It is neither cached
 * nor written to the request log, because its address may carry a credential.
 *
 * @throws Error when the page has not been built (`npm run build:pages`)
 */
export const serveWebPage = async (fastify: FastifyInstance, page: WebPage): Promise<void> => {
  const mount = new URL(page.url).pathname.replace(/\/+$/, '');
  const html = withConfig(readIndex(page.directory), page.config);
  const headers = allowingInline(page.headers, html);
  const send = compressed(html);

  await fastify.register(fastifyStatic, {
    root: page.directory,
    prefix: `${mount}/`,
    decorateReply: false,
    // The build writes `.br` and `.gz` beside each text.
    preCompressed: true,
    index: false,
    redirect: false,
    cacheControl: false,
    allowedPath: (path) => !path.endsWith('.html'),
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/');
      reply.headers(page.headers).header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });

  const sendIndex = (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(headers).header('cache-control', 'no-store').type('text/html; charset=utf-8');
    return send(request, reply);
  };
  fastify.get(`${mount}/`, { logLevel: 'silent' }, sendIndex);
  if (mount !== '') {
    fastify.get(mount, { logLevel: 'silent' }, (request, reply) => {
      const query = request.url.indexOf('?');
      const search = query < 0 ? '' : request.url.slice(query);
      return reply.headers(page.headers).header('cache-control', 'no-store').redirect(`${mount}/${search}`, 308);
    });
  }
};

const readIndex = (directory: string): string => {
  try {
    return readFileSync(join(directory, 'index.html'), 'utf8');
  } catch (cause) {
    throw new Error(`no built page in ${directory}: run "npm run build:pages"`, { cause });
  }
};

const withConfig = (html: string, config: WebPage['config']): string => {
  if (!html.includes(CONFIG_PLACEHOLDER)) throw new Error('the page has no place for its configuration');
  return html.replace(CONFIG_PLACEHOLDER, () => escapeAttribute(JSON.stringify(config)));
};

const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
