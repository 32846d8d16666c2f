import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';

import { KeyedQueue } from '#kernel';

import type { BudgetHolders } from './route-budgets.js';

/**
 * Lets each call wait until the earlier ones of the same caller are answered, at this process: somebody who asks over many connections takes no more processor time than over one. The budgets of
 * routes bound how many wait, so it comes after them. `holdersOf`: undefined for a call that waits for no other.
 */
export const oneCallAtATime = (holdersOf: (request: FastifyRequest) => BudgetHolders | undefined): onRequestAsyncHookHandler => {
  const queue = new KeyedQueue();
  return async (request, reply) => {
    const holders = request.is404 ? undefined : holdersOf(request);
    if (!holders) return;
    const end = await queue.take(holders.principal);
    // A caller who has gone meanwhile gets no answer that would end the turn.
    if (reply.raw.destroyed) end();
    else reply.raw.once('finish', end).once('close', end);
  };
};
