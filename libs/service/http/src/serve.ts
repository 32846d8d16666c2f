import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

import { ConnectionErrors } from './connection-errors.js';
import { responsesWith } from './default-headers.js';
import { drain } from './drain.js';
import { RequestGate } from './request-gate.js';

export interface Mount {
  /** `/relying-party`: this path and all paths below it. The longest matching prefix wins. */
  readonly prefix: string;
  readonly app: NestFastifyApplication | FastifyInstance;
}

/** What answers the requests. */
export interface Mounts {
  readonly mounts: readonly Mount[];
  /** Answers paths under no prefix. */
  readonly fallback: FastifyInstance;
}

export interface ServeOptions extends Mounts {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** How long idle connections stay open while the server closes, in milliseconds. Default 0. See {@link drain}. */
  readonly idleGrace?: number;
  /** Default {@link ARRIVAL}. */
  readonly arrival?: ArrivalTimes;
  /** Browsers reach the port by https, so they are told to use nothing else. Default false. */
  readonly https?: boolean;
  /** Through which each request goes. Default: one that is never shut. */
  readonly gate?: RequestGate;
}

export interface HttpServer {
  readonly port: number;
  /** From now on these answer the requests that begin. */
  mount(mounts: Mounts): Promise<void>;
  /** Accepts no new connections, lets requests under way finish for at most ten seconds, and resolves when all connections are closed. */
  close(): Promise<void>;
}

/** Serves several applications on one port, by the prefix of the path. */
export const serve = async (options: ServeOptions): Promise<HttpServer> => {
  const { host, port, idleGrace = 0, arrival = ARRIVAL, https = false, gate = new RequestGate() } = options;
  let routing = await routingTo(options);
  const headers = https ? { ...DEFAULT_HEADERS, ...HTTPS_HEADERS } : DEFAULT_HEADERS;
  const errors = new ConnectionErrors(headers);
  let closing = false;

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    errors.note(request, response);
    if (closing) response.setHeader('connection', 'close');
    gate.enter(response, () => routing(request, response));
  };
  const times = {
    headersTimeout: arrival.headers,
    requestTimeout: arrival.request,
    connectionsCheckingInterval: arrival.checkedEvery,
    keepAliveTimeout: 65_000,
    // An application refuses a request without it, after the credentials.
    requireHostHeader: false,
  };
  const server = createServer({ ...times, ServerResponse: responsesWith(headers) }, answer);
  // The applications judge both, after the credentials. Node would answer the first before them, and the other without a body.
  server.on('checkContinue', answer);
  server.on('checkExpectation', answer);
  errors.watch(server);
  server.listen(port, host);
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    mount: async (mounts) => {
      routing = await routingTo(mounts);
    },
    close: () => {
      closing = true;
      return drain(server, idleGrace);
    },
  };
};

/** How long a request may take to arrive, in milliseconds (specification/conventions.md#http). */
export interface ArrivalTimes {
  /** From its first byte, or from the beginning of its connection, to the end of its headers. */
  readonly headers: number;
  /** To its end. */
  readonly request: number;
  /** How often the server looks which requests are late, so a 408 comes that much later at the most. */
  readonly checkedEvery: number;
}

export const ARRIVAL: ArrivalTimes = { headers: 15_000, request: 30_000, checkedEvery: 1_000 };

/** On every answer, unless a page sets its own. A browser that opens an answer of an API as a page runs and frames nothing. */
const DEFAULT_HEADERS = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

/** HTTP Strict Transport Security (RFC 6797), for a year. */
const HTTPS_HEADERS = { 'strict-transport-security': 'max-age=31536000' };

type Routing = (request: IncomingMessage, response: ServerResponse) => void;

/** The longest matching prefix answers. */
const routingTo = async ({ mounts, fallback }: Mounts): Promise<Routing> => {
  const longestFirst = mounts.toSorted((a, b) => b.prefix.length - a.prefix.length);
  const routes = await Promise.all(longestFirst.map(async ({ prefix, app }) => ({ prefix, below: `${prefix}/`, routing: await routingOf(app) })));
  const otherwise = await routingOf(fallback);
  return (request, response) => {
    const path = pathOf(request);
    const route = routes.find(({ prefix, below }) => path === prefix || path.startsWith(below));
    (route?.routing ?? otherwise)(request, response);
  };
};

const routingOf = async (app: NestFastifyApplication | FastifyInstance): Promise<Routing> => {
  const fastify = 'getHttpAdapter' in app ? app.getHttpAdapter().getInstance() : app;
  await fastify.ready();
  return (request, response) => fastify.routing(request, response);
};

/** The path without query. A target in absolute form (RFC 9112 §3.2.2) is replaced by its path on the request. */
const pathOf = (request: IncomingMessage): string => {
  const target = request.url ?? '/';
  if (!target.startsWith('/')) {
    const url = URL.parse(target);
    request.url = url ? url.pathname + url.search : '/';
  }
  return (request.url ?? '/').split('?', 1)[0] ?? '/';
};
