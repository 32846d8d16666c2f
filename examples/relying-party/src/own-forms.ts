import type { FastifyReply, onRequestAsyncHookHandler } from 'fastify';

/**
 * Lets only our own pages change something: beside SameSite=Lax the second wall against forged requests. Every browser says
 * with a form where it comes from (Fetch standard, "append a request Origin header"). What a server posts to, and which looks at no
 * cookie, is excepted.
 */
export const onlyOwnForms =
  (origin: string, except: readonly string[], refuse: (reply: FastifyReply) => unknown): onRequestAsyncHookHandler =>
  async (request, reply) => {
    if (request.method === 'GET' || request.method === 'HEAD' || request.headers.origin === origin || except.includes(request.url)) return;
    refuse(reply);
    return reply;
  };
