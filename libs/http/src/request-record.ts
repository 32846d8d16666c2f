import type { Log, LogFields, Metrics } from '#telemetry';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Refusal } from './refusal.js';

/** Writes one log line and one measurement for each request, after its answer was sent. */
export const recordRequests = (fastify: FastifyInstance, log: Log, metrics: Metrics): void => {
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    const ms = reply.elapsedTime;
    metrics.requests.observe({ method: request.method, route, status: reply.statusCode }, ms / 1000);
    if (request.refusal) metrics.refusals.inc({ route, code: request.refusal.errorCode });
    write(log, request, { requestId: request.id, method: request.method, route, status: reply.statusCode, ms: Math.round(ms * 10) / 10 });
    done();
  });
};

const write = (log: Log, request: FastifyRequest, fields: LogFields): void => {
  const { refusal } = request;
  if (refusal) record(log, refusal, fields);
  // Polls are most of the traffic and the least interesting part of it.
  else if (request.method === 'GET') log.debug('request', fields);
  else log.info('request', fields);
};

const record = (log: Log, { errorCode, reason, unexpected }: Refusal, fields: LogFields): void => {
  const line = { ...fields, errorCode, ...(reason ? { reason } : {}) };
  if (unexpected !== undefined) log.error('request failed', { ...line, error: unexpected });
  // A flood of requests must not flood the log. The metrics count them.
  else if (errorCode === 'rate_limited') log.debug('request refused', line);
  else log.info('request refused', line);
};
