import { SystemClock } from '#kernel';
import type { Log, LogFields, Metrics, Observe } from '#telemetry';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { HttpRefusal } from './refusal.js';
import { RefusalSamples } from './refusal-samples.js';
import { inRequestTrace } from './request-trace.js';

/** Writes one measurement for each request, after its answer was sent, and one log line; a flood of refusals is sampled. */
export const recordRequests = (fastify: FastifyInstance, log: Log, metrics: Metrics): void => {
  const samples = new RefusalSamples(new SystemClock());
  const durations = new Durations(metrics);
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    const ms = reply.elapsedTime;
    if (request.refusal) metrics.refusals.inc({ route, code: request.refusal.errorCode });
    const fields = { requestId: request.id, method: request.method, route, status: reply.statusCode, ms: Math.round(ms * 10) / 10 };
    inRequestTrace(request, () => {
      durations.of(request.method, route, reply.statusCode)(ms / 1000);
      write(log, samples, request, fields);
    });
    done();
  });
};

/** The observers of the requests' durations, of which each is made once. Routes, methods and statuses are few. */
class Durations {
  readonly #byRoute = new Map<string, Map<string, Observe>>();

  constructor(private readonly metrics: Metrics) {}

  of(method: string, route: string, status: number): Observe {
    const ofRoute = this.#byRoute.get(route) ?? new Map<string, Observe>();
    const kind = `${method} ${status}`;
    const known = ofRoute.get(kind);
    if (known) return known;
    const made = this.metrics.requests.observer({ method, route, status });
    this.#byRoute.set(route, ofRoute.set(kind, made));
    return made;
  }
}

const write = (log: Log, samples: RefusalSamples, request: FastifyRequest, fields: LogFields): void => {
  const { refusal } = request;
  if (refusal) record(log, samples, refusal, fields);
  // Polls are most of the traffic and the least interesting part of it.
  else if (request.method === 'GET') log.debug('request', fields);
  else log.info('request', fields);
};

const record = (log: Log, samples: RefusalSamples, { errorCode, reason, unexpected }: HttpRefusal, fields: LogFields): void => {
  const line = { ...fields, errorCode, ...(reason ? { reason } : {}) };
  if (unexpected !== undefined) log.error('request failed', { ...line, error: unexpected });
  // A flood of requests must not flood the log. The metrics count them.
  else if (errorCode === 'rate_limited') log.debug('request refused', line);
  else {
    const count = samples.take(`${fields.method} ${fields.route} ${errorCode}`);
    if (count !== undefined) log.info('request refused', count === 1 ? line : { ...line, count });
  }
};
