import { brotliCompressSync, gzipSync } from 'node:zlib';

import { once } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Sends a text that never changes in the form that the browser prefers (RFC 9110, 12.5.3). It must contain nothing secret. */
export const compressed = (text: string): ((request: FastifyRequest, reply: FastifyReply) => FastifyReply) => {
  // At the first request that takes it: no start waits for that.
  const forms = [
    { encoding: 'br', body: once(() => brotliCompressSync(text)) },
    { encoding: 'gzip', body: once(() => gzipSync(text, { level: 9 })) },
  ];
  return (request, reply) => {
    reply.header('vary', 'accept-encoding');
    const accepted = String(request.headers['accept-encoding'] ?? '');
    const form = forms.find(({ encoding }) => new RegExp(`(^|[\\s,])${encoding}\\s*(,|$|;\\s*q=(1|0\\.0*[1-9]))`).test(accepted));
    return form === undefined ? reply.send(text) : reply.header('content-encoding', form.encoding).send(form.body());
  };
};
