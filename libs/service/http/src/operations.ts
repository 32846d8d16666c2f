import type { FastifyInstance } from 'fastify';

import type { Metrics } from '#telemetry';

/** Resolves when a part of the service can work, rejects otherwise. */
export type ReadinessCheck = () => Promise<unknown>;

export interface OperationsOptions {
  /** Undefined: `/metrics` does not exist. */
  readonly metrics: Metrics | undefined;
  /** By name. `/readyz` answers 200 when all pass. */
  readonly checks: ReadonlyMap<string, ReadinessCheck>;
  /** What an operator has to correct although the process can work, each with its remedy. `/readyz` shows them, and its status does not change. */
  readonly warnings?: () => readonly string[];
  /** Aborted when the process begins to stop: it is then alive, but not ready. */
  readonly stopping: AbortSignal;
}

/** Time limit of a check, in milliseconds. */
const CHECK_TIMEOUT = 2_000;

/** Serves `/livez`, `/readyz` and `/metrics` without credentials: on a port of their own, or beside the mounted apps. */
export const serveOperations = (app: FastifyInstance, { metrics, checks, warnings = () => [], stopping }: OperationsOptions): void => {
  app.get('/livez', () => ({ status: 'alive' }));
  app.get('/readyz', async (_request, reply) => {
    const outcomes = await Promise.all([...checks].map(async ([name, check]) => [name, await passes(check)] as const));
    const found = warnings();
    const ready = !stopping.aborted && outcomes.every(([, passed]) => passed);
    return reply.code(ready ? 200 : 503).send({
      status: stopping.aborted ? 'stopping' : ready ? 'ready' : 'not ready',
      checks: Object.fromEntries(outcomes.map(([name, passed]) => [name, passed ? 'ok' : 'failed'])),
      ...(found.length > 0 && { warnings: found }),
    });
  });
  if (metrics)
    app.get('/metrics', async (request, reply) => {
      const { contentType, text } = await metrics.shown(request.headers.accept);
      return reply.type(contentType).send(text);
    });
};

const passes = async (check: ReadinessCheck): Promise<boolean> => {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), CHECK_TIMEOUT);
  const tooLate = new Promise<false>((resolve) => timeout.signal.addEventListener('abort', () => resolve(false)));
  try {
    return await Promise.race([check().then(() => true), tooLate]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
};
