import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify';

import type { Log, Metrics } from '#telemetry';

import { ErrorEnvelopeFilter } from './error-envelope.filter.js';
import { BODY_LIMIT, takeJsonBodies } from './json-body.js';
import { requestId } from './request-id.js';
import { recordRequests } from './request-record.js';
import { DtoPipe } from './validation.pipe.js';
import { withoutNulls } from './without-nulls.js';
import { NestLog } from './nest-log.js';

/** An application that speaks HTTP. */
export type HttpApp = NestFastifyApplication;

export interface HttpAppOptions {
  readonly log: Log;
  readonly metrics: Metrics;
  /** Addresses and networks whose `X-Forwarded-For` counts. */
  readonly trustedProxies?: readonly string[];
  /** Run in this order for every request, unknown paths included, before the body is read. */
  readonly onRequest?: readonly (onRequestHookHandler | onRequestAsyncHookHandler)[];
  /** Registers Fastify plugins (cookies, CORS, static files), before Nest adds the routes. */
  readonly configure?: (fastify: FastifyInstance) => void | Promise<void>;
}

/**
 * A Nest application on Fastify with everything that the apps have in common: one error envelope, JSON bodies
 * only, checked against their classes, credentials before bodies, a log line and a measurement for each
 * request. It is ready for `inject()`, `listen()` and Fastify's `routing()`.
 */
export const createHttpApp = async (module: Type | DynamicModule, options: HttpAppOptions): Promise<NestFastifyApplication> => {
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_LIMIT,
    trustProxy: options.trustedProxies?.length ? [...options.trustedProxies] : false,
    genReqId: requestId,
    rewriteUrl: ({ url = '/' }) => decodable(url),
    // An id in a path may be as long as it likes: it is not found like every other one.
    routerOptions: { maxParamLength: 65_536 },
    skipMiddie: true,
  });
  const fastify = adapter.getInstance();
  prepare(fastify, options);
  await options.configure?.(fastify);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: new NestLog(options.log),
  });
  app.useGlobalPipes(new DtoPipe());
  app.useGlobalFilters(new ErrorEnvelopeFilter());
  await app.init();
  await fastify.ready();
  return app;
};

const prepare = (fastify: FastifyInstance, { log, metrics, onRequest = [] }: HttpAppOptions): void => {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    done();
  });
  recordRequests(fastify, log, metrics);
  for (const hook of onRequest) fastify.addHook('onRequest', hook as onRequestHookHandler);
  takeJsonBodies(fastify);
  fastify.setReplySerializer((payload, status) => JSON.stringify(status < 400 ? withoutNulls(payload) : payload));
};

/** The router answers a path that does not decode before any hook runs; as literal text it is an unknown one. */
const decodable = (url: string): string => {
  if (!url.includes('%')) return url;
  try {
    decodeURI(url);
    return url;
  } catch {
    return url.replaceAll('%', '%25');
  }
};
