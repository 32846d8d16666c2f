import { fastify, type FastifyInstance } from 'fastify';

import type { Metrics } from '#telemetry';

import { refusalOf } from './refusal.js';
import { sendRefusal } from './send-refusal.js';

/** Resolves when that part can do its work, rejects when not. */
export type ReadinessCheck = () => Promise<unknown>;

export interface OpsOptions {
  readonly metrics: Metrics;
  /** By name: all must pass for `/readyz` to say yes. */
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  /** Aborted when the process begins to stop: it is alive, and not ready any more. */
  readonly stopping: AbortSignal;
}

/** How long a check may take, in milliseconds. */
const CHECK_TIME = 2_000;

/** `/livez`, `/readyz` and `/metrics`, without credentials: on a port of their own, or where nobody else is mounted. */
export const createOpsApp = ({ metrics, checks, stopping }: OpsOptions): FastifyInstance => {
  const app = fastify();
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    done();
  });
  app.setNotFoundHandler((_request, reply) => sendRefusal(reply, refusalOf({ statusCode: 404 })));
  app.setErrorHandler((error, _request, reply) => sendRefusal(reply, refusalOf(error)));

  app.get('/livez', () => ({ status: 'alive' }));
  app.get('/readyz', async (_request, reply) => {
    const outcomes = await Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await passes(check)] as const));
    const ready = !stopping.aborted && outcomes.every(([, passed]) => passed);
    return reply.code(ready ? 200 : 503).send({
      status: stopping.aborted ? 'stopping' : ready ? 'ready' : 'not ready',
      checks: Object.fromEntries(outcomes.map(([name, passed]) => [name, passed ? 'ok' : 'failed'])),
    });
  });
  app.get('/metrics', async (_request, reply) => reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()));
  return app;
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
