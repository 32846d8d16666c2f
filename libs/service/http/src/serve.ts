import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

import { responsesWith } from './default-headers.js';
import { drain } from './drain.js';
import { errorEnvelope } from './error-envelope.js';

export interface Mount {
  /** `/relying-party`: this path and all paths below it. The longest matching prefix wins. */
  readonly prefix: string;
  readonly app: NestFastifyApplication | FastifyInstance;
}

export interface ServeOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly mounts: readonly Mount[];
  /** Answers paths under no prefix. */
  readonly fallback: FastifyInstance;
  /** How long idle connections stay open while the server closes, in milliseconds. Default 0. See {@link drain}. */
  readonly idleGrace?: number;
  /** Browsers reach the port by https, so they are told to use nothing else. Default false. */
  readonly https?: boolean;
}

export interface HttpServer {
  readonly port: number;
  /** Accepts no new connections, lets requests under way finish for at most ten seconds, and resolves when all connections are closed. */
  close(): Promise<void>;
}

/** Serves several applications on one port, by the prefix of the path. */
export const serve = async ({ host, port, mounts, fallback, idleGrace = 0, https = false }: ServeOptions): Promise<HttpServer> => {
  const longestFirst = mounts.toSorted((a, b) => b.prefix.length - a.prefix.length);
  const routes = await Promise.all(longestFirst.map(async ({ prefix, app }) => ({ prefix, below: `${prefix}/`, routing: await routingOf(app) })));
  const otherwise = await routingOf(fallback);
  const answers = responsesWith(https ? { ...DEFAULT_HEADERS, ...HTTPS_HEADERS } : DEFAULT_HEADERS);
  let closing = false;

  const limits = { requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout: 65_000 };
  const server = createServer({ ...limits, ServerResponse: answers }, (request, response) => {
    if (closing) response.setHeader('connection', 'close');
    const path = pathOf(request);
    const route = routes.find(({ prefix, below }) => path === prefix || path.startsWith(below));
    (route?.routing ?? otherwise)(request, response);
  });
  server.on('clientError', answerClientError);
  server.listen(port, host);
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      closing = true;
      return drain(server, idleGrace);
    },
  };
};

/** On every answer, unless a page sets its own. A browser that opens an answer of an API as a page runs and frames nothing. */
const DEFAULT_HEADERS = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

/** HTTP Strict Transport Security (RFC 6797), for a year. */
const HTTPS_HEADERS = { 'strict-transport-security': 'max-age=31536000' };

type Routing = (request: IncomingMessage, response: ServerResponse) => void;

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

/** Answers requests that Node's parser refuses. */
const answerClientError = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, detail] = CLIENT_ERRORS[error.code ?? ''] ?? ['400 Bad Request', 'This is not HTTP/1.1.'];
  const body = JSON.stringify(errorEnvelope('invalid_request', detail));
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
};

const CLIENT_ERRORS: Readonly<Record<string, readonly [string, string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
};
