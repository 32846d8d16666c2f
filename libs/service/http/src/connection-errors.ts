import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { type Clock, SystemClock } from '#kernel';

import { errorEnvelope } from './error-envelope.js';

type Headers = Readonly<Record<string, string>>;

/** How long a refused connection may still send what is not read, in milliseconds. Closed at once, it could lose the answer. */
const LINGER = 1_000;

interface Refused {
  readonly status: string;
  readonly code: 'invalid_request' | 'not_found';
  readonly detail?: string;
}

/** Answers what never becomes a request: what Node's parser refuses, what does not arrive in time, and CONNECT. */
export class ConnectionErrors {
  readonly #newest = new WeakMap<Duplex, ServerResponse>();
  readonly #refused = new WeakSet<Duplex>();

  /** `headers`: on every answer. */
  constructor(
    private readonly headers: Headers,
    private readonly clock: Clock = new SystemClock(),
  ) {}

  /** Answers from now on. Each request has to be {@link note}d. */
  watch(server: Server): void {
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => this.#failed(error, socket));
    server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
      socket.on('error', () => undefined);
      this.#answer(socket, { status: '404 Not Found', code: 'not_found' });
    });
  }

  /** The response that its connection waits for now. */
  note({ socket }: IncomingMessage, response: ServerResponse): void {
    this.#newest.set(socket, response);
  }

  #failed(error: NodeJS.ErrnoException, socket: Duplex): void {
    if (this.#refused.has(socket)) return;
    const refused = CLIENT_ERRORS[error.code ?? ''] ?? NOT_HTTP;
    const response = this.#newest.get(socket);
    const isIdle = response === undefined || (response.writableFinished && response.req.complete);
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else if (isIdle || (!response.headersSent && !response.req.complete)) this.#answer(socket, refused);
    else if (response.headersSent) socket.destroy();
    // The bytes belong to a later request: the answer to the one before comes first.
    else {
      this.#refused.add(socket);
      response.once('close', () => this.#answer(socket, refused));
    }
  }

  #answer(socket: Duplex, { status, code, detail }: Refused): void {
    this.#refused.add(socket);
    if (!socket.writable) return;
    const body = JSON.stringify(errorEnvelope(code, detail));
    const head = {
      ...this.headers,
      'cache-control': 'no-store',
      'x-request-id': randomUUID(),
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      date: new Date(this.clock.now()).toUTCString(),
      connection: 'close',
    };
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
    const lingering = setTimeout(() => socket.destroy(), LINGER);
    socket.once('close', () => clearTimeout(lingering));
  }
}

const refusal = (status: string, detail: string): Refused => ({ status, code: 'invalid_request', detail });

const NOT_HTTP = refusal('400 Bad Request', 'This is not HTTP/1.1.');

const CLIENT_ERRORS: Readonly<Record<string, Refused>> = {
  HPE_HEADER_OVERFLOW: refusal('431 Request Header Fields Too Large', 'The request line and the headers are larger than 16 KiB.'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refusal('413 Payload Too Large', 'The extensions of a chunk are larger than 16 KiB.'),
  ERR_HTTP_REQUEST_TIMEOUT: refusal('408 Request Timeout', 'The request did not arrive in time.'),
};
