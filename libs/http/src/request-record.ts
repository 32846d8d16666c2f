import type { Log, LogFields, Metrics } from '#telemetry';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** One log line and one measurement for each request, when its answer has gone out. */
export const recordRequests = (fastify: FastifyInstance, log: Log, metrics: Metrics): void => {
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    const ms = reply.elapsedTime;
    metrics.requests.observe({ method: request.method, route, status: reply.statusCode }, ms / 1000);
    if (request.refusal) metrics.refusals.inc({ route, code: request.refusal.errorCode });
    write(log, request, reply, { requestId: request.id, method: request.method, route, status: reply.statusCode, ms: Math.round(ms * 10) / 10 });
    done();
  });
};

const write = (log: Log, request: FastifyRequest, reply: FastifyReply, fields: LogFields): void => {
  const { refusal } = request;
  if (refusal?.unexpected !== undefined) log.error('request failed', { ...fields, errorCode: refusal.errorCode, error: refusal.unexpected });
  else if (refusal) log.info('request refused', { ...fields, errorCode: refusal.errorCode, ...(refusal.reason ? { reason: refusal.reason } : {}) });
  // Polling is most of the traffic and says least.
  else if (request.method === 'GET') log.debug('request', fields);
  else log.info('request', fields);
};
