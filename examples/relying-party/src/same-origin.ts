import type { FastifyReply, onRequestAsyncHookHandler } from 'fastify';

/**
 * Lets only our own pages change something: a second protection against forged requests beside SameSite=Lax. Every browser sends
 * the origin of a form (Fetch standard, "append a request Origin header"). Addresses that servers post to and that read no cookie are
 * excepted.
 */
export const requireSameOrigin =
  (origin: string, except: readonly string[], refuse: (reply: FastifyReply) => unknown): onRequestAsyncHookHandler =>
  async (request, reply) => {
    if (request.method === 'GET' || request.method === 'HEAD' || request.headers.origin === origin || except.includes(request.url)) return;
    refuse(reply);
    return reply;
  };
