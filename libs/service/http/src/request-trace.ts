import type { FastifyInstance, FastifyRequest } from 'fastify';

import { beginSpan, inTrace, type Span, traceparentOf } from '#kernel';

interface RequestTrace {
  readonly traceparent: string | undefined;
  /** The caller sent no trace context. */
  readonly begunHere: boolean;
  readonly span: Span | undefined;
}

const traces = new WeakMap<FastifyRequest, RequestTrace>();

/**
 * Handles each request in the trace that its header `traceparent` names. Without the header, and if spans are recorded, a trace begins with the request. The
 * span of a request lasts until its answer was sent. Its attributes hold the pattern of the route, never the path.
 */
export const traceRequests = (fastify: FastifyInstance): void => {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const parent = traceparentOf(request.headers['traceparent']);
    const span = beginSpan(() => requestSpan(request, parent));
    const traceparent = span?.traceparent ?? parent;
    if (traceparent !== undefined) traces.set(request, { traceparent, begunHere: parent === undefined, span });
    done();
  });
  // This runs after the body was read, since reading the body would leave the context again.
  fastify.addHook('preHandler', (request, _reply, done) => inRequestTrace(request, done));
  fastify.addHook('onResponse', (request, reply, done) => {
    const span = traces.get(request)?.span;
    span?.set({ 'http.response.status_code': reply.statusCode, ...(request.refusal && { 'error.type': request.refusal.errorCode }) });
    span?.end(reply.statusCode >= 500 ? (request.refusal?.errorCode ?? String(reply.statusCode)) : undefined);
    done();
  });
};

/** Runs the work in the trace of the request, if it has one. */
export const inRequestTrace = <Result>(request: FastifyRequest, work: () => Result): Result => {
  const trace = traces.get(request);
  return inTrace(trace?.traceparent, work, trace?.begunHere);
};

const requestSpan = ({ method, is404, routeOptions: { url } }: FastifyRequest, parent: string | undefined) => {
  const route = is404 ? 'none' : (url ?? 'none');
  return { name: `${method} ${route}`, kind: 'server', parent, attributes: { 'http.request.method': method, 'http.route': route } } as const;
};
