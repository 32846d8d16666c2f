import type { FastifyInstance, FastifyRequest } from 'fastify';

import { callerOf } from './client-network.js';
import type { FailureThrottle } from './failure-throttle.js';

export interface Attempts {
  /** Requests that need no credential known to the service, and whose check costs work. */
  readonly isAttempt: (request: FastifyRequest) => boolean;
  readonly byCaller: FailureThrottle;
  /** Counts for the holder too, whom an attempt names in its body. */
  readonly byHolder: FailureThrottle;
  /** Asked once the body is read. Undefined if the request names no holder. What it names may be forged. */
  readonly holderOf: (request: FastifyRequest) => string | undefined;
}

interface Count {
  readonly throttle: FailureThrottle;
  readonly by: string;
}

/**
 * Answers 429 to attempts beyond the limit of refused ones, whatever has refused them: the proof, the body or the code. Each is counted before it is checked, so
 * that attempts at the same time are counted too, and taken back when it succeeds, or could not be judged since the service failed
 * (specification/conventions.md#rate-limits).
 */
export const throttleAttempts = (fastify: FastifyInstance, { isAttempt, byCaller, byHolder, holderOf }: Attempts): void => {
  const counted = new WeakMap<FastifyRequest, Count[]>();

  fastify.addHook('onRequest', async (request) => {
    if (request.is404 || !isAttempt(request)) return;
    const by = callerOf(request);
    await byCaller.failed(by);
    counted.set(request, [{ throttle: byCaller, by }]);
  });

  fastify.addHook('preValidation', async (request) => {
    const counts = counted.get(request);
    const by = counts && holderOf(request);
    if (by === undefined) return;
    await byHolder.failed(by);
    counts?.push({ throttle: byHolder, by });
  });

  fastify.addHook('onSend', async (request, { statusCode }, payload) => {
    const counts = counted.get(request) ?? [];
    counted.delete(request);
    const isRefused = statusCode >= 400 && statusCode < 500;
    if (!isRefused) await Promise.all(counts.map(({ throttle, by }) => throttle.passed(by)));
    return payload;
  });
};
