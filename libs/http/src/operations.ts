import type { FastifyInstance } from 'fastify';

import type { Metrics } from '#telemetry';

/** Resolves when that part can do its work, rejects when not. */
export type ReadinessCheck = () => Promise<unknown>;

export interface OperationsOptions {
  readonly metrics: Metrics;
  /** By name: all must pass for `/readyz` to say yes. */
  readonly checks: ReadonlyMap<string, ReadinessCheck>;
  /** Aborted when the process begins to stop: it is alive, and not ready any more. */
  readonly stopping: AbortSignal;
}

/** How long a check may take, in milliseconds. */
const CHECK_TIME = 2_000;

/** `/livez`, `/readyz` and `/metrics`, without credentials: on a port of their own, or where nobody else is mounted. */
export const serveOperations = (app: FastifyInstance, { metrics, checks, stopping }: OperationsOptions): void => {
  app.get('/livez', () => ({ status: 'alive' }));
  app.get('/readyz', async (_request, reply) => {
    const outcomes = await Promise.all([...checks].map(async ([name, check]) => [name, await passes(check)] as const));
    const ready = !stopping.aborted && outcomes.every(([, passed]) => passed);
    return reply.code(ready ? 200 : 503).send({
      status: stopping.aborted ? 'stopping' : ready ? 'ready' : 'not ready',
      checks: Object.fromEntries(outcomes.map(([name, passed]) => [name, passed ? 'ok' : 'failed'])),
    });
  });
  app.get('/metrics', async (_request, reply) => reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()));
};

const passes = async (check: ReadinessCheck): Promise<boolean> => {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), CHECK_TIME);
  const tooLate = new Promise<false>((resolve) => late.signal.addEventListener('abort', () => resolve(false)));
  try {
    return await Promise.race([check().then(() => true), tooLate]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
};
