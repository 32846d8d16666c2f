import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { accepted, prefersHtml } from './accepted.js';
import { builtGuide } from './built-guide.js';
import { frontHeaders } from './front-headers.js';

interface ServedFile {
  /** Below the folder of the site. */
  readonly file: string;
  /** Of the bytes. */
  readonly digest: string;
  /** Whether the build has written its compressed forms beside it. */
  readonly compressed: boolean;
}

/** Forms that the build has written beside each text, the smallest first. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.yaml': 'application/yaml; charset=utf-8',
  '.atom': 'application/atom+xml; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
};

/**
 * Serves the documentation site at `/guide/`. `files.json` of the build names every address: a request chooses one of them, and no path of a request
 * reaches the file system. Without a built site nothing is served. A page is revalidated by its digest; a file whose name has a hash is kept for a year.
 */
export const serveGuide = async (front: FastifyInstance): Promise<void> => {
  const list = builtGuide();
  if (list === undefined) return;
  const folder = dirname(list);
  const files = new Map(Object.entries(JSON.parse(readFileSync(list, 'utf8')) as Record<string, ServedFile>));
  const headers = frontHeaders({ script: "'self'", style: "'self'", connect: "'self'" });

  const send = async (request: FastifyRequest, reply: FastifyReply, { file, digest, compressed }: ServedFile): Promise<FastifyReply> => {
    const hashed = file.startsWith('assets/');
    reply.headers({ ...headers, vary: 'accept-encoding', 'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache' });
    const wanted = accepted(String(request.headers['accept-encoding'] ?? ''));
    const [encoding, ending] = (compressed && ENCODINGS.find(([name]) => wanted.includes(name))) || [];
    const tag = `"${digest}${encoding === undefined ? '' : `-${encoding}`}"`;
    reply.header('etag', tag).type(TYPES[extname(file)] ?? 'application/octet-stream');
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    if (encoding !== undefined) reply.header('content-encoding', encoding);
    return reply.send(await readFile(join(folder, `${file}${ending ?? ''}`)));
  };

  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const path = request.url.replace(/\?.*$/s, '').slice('/guide/'.length);
    const found = files.get(path);
    if (found !== undefined && path !== MISSING) return send(request, reply, found);
    const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
    if (path !== '' && files.has(other)) return reply.headers(headers).redirect(`/guide/${other}`, 308);
    const missing = files.get(MISSING);
    if (missing !== undefined && prefersHtml(request.headers.accept)) return send(request, reply.code(404), missing);
    reply.callNotFound();
    return reply;
  };

  front.get('/guide', (_request, reply) => reply.redirect('/guide/', 308));
  front.get('/guide/*', answer);
};

/** The address of the page that says that there is none. */
const MISSING = '404';
