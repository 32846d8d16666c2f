import type { DynamicModule, ExceptionFilter, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify';

import type { Log, Metrics } from '#telemetry';

import { decodableUrl } from './decodable-url.js';
import { ErrorEnvelopeFilter } from './error-envelope.filter.js';
import { BODY_LIMIT, parseJsonBodies } from './json-body.js';
import { callLeanMethods } from './lean-route.js';
import type { ProxyReports } from './proxy-reports.js';
import { assertBudgets, type RouteBudgets, routeTable } from './route-budgets.js';
import { requestId } from './request-id.js';
import { recordRequests } from './request-record.js';
import { traceRequests } from './request-trace.js';
import { refuseUnsoundRequests } from './sound-requests.js';
import { within } from './within.js';
import { DtoPipe } from './validation.pipe.js';
import { holdRefusals } from './hold-refusals.js';
import { withoutNulls } from './without-nulls.js';
import { NestLog } from './nest-log.js';

/** A Nest application over HTTP. */
export type HttpApp = NestFastifyApplication;

export interface HttpAppOptions {
  readonly log: Log;
  readonly metrics: Metrics;
  /** Addresses and networks whose `X-Forwarded-For` counts. */
  readonly trustedProxies?: readonly string[];
  /** Told of every request. */
  readonly proxyReports?: ProxyReports;
  /** What a caller may ask of each route of the app. A route without one, also among {@link pages}, is a mistake, and the app does not start. */
  readonly budgets?: RouteBudgets;
  /** The same for routes below addresses of the settings: the app's page and what it shows. */
  readonly pages?: RouteBudgets;
  /** Hooks that run in this order for every request, also on unknown paths, before the body is read. */
  readonly onRequest?: readonly (onRequestHookHandler | onRequestAsyncHookHandler)[];
  /** Answers refusals. Default: the error envelope. */
  readonly filter?: ExceptionFilter;
  /** Registers Fastify plugins (cookies, CORS, static files), before Nest adds the routes. */
  readonly configure?: (fastify: FastifyInstance) => void | Promise<void>;
}

/**
 * A Nest application on Fastify with the parts that all apps share: the error envelope, JSON bodies that are checked against their classes,
 * credentials before bodies, a log line and a measurement for each request. Ready for `inject()`, `listen()` and Fastify's `routing()`.
 */
export const createHttpApp = async (module: Type | DynamicModule, options: HttpAppOptions): Promise<NestFastifyApplication> => {
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_LIMIT,
    trustProxy: options.trustedProxies?.length ? within(options.trustedProxies) : false,
    genReqId: requestId,
    rewriteUrl: ({ url = '/' }) => decodableUrl(url),
    // A very long id in a path is answered as every unknown id.
    routerOptions: { maxParamLength: 65_536 },
    skipMiddie: true,
  });
  const fastify = adapter.getInstance();
  const routes = routeTable(fastify);
  prepare(fastify, options);
  await options.configure?.(fastify);
  holdRefusals(fastify);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: new NestLog(options.log),
  });
  callLeanMethods(fastify, (controller) => app.get<object>(controller));
  app.useGlobalPipes(new DtoPipe());
  app.useGlobalFilters(options.filter ?? new ErrorEnvelopeFilter());
  await app.init();
  await fastify.ready();
  if (options.budgets) assertBudgets(routes, { ...options.budgets, ...options.pages });
  return app;
};

const prepare = (fastify: FastifyInstance, { log, metrics, proxyReports, onRequest = [] }: HttpAppOptions): void => {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff').header('cache-control', 'no-store');
    done();
  });
  traceRequests(fastify);
  recordRequests(fastify, log, metrics);
  proxyReports?.watch(fastify);
  for (const hook of onRequest) fastify.addHook('onRequest', hook as onRequestHookHandler);
  refuseUnsoundRequests(fastify);
  parseJsonBodies(fastify);
  fastify.setReplySerializer((payload, status) => JSON.stringify(status < 400 ? withoutNulls(payload) : payload));
};
