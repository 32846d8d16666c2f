import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  createServer,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer, type Socket } from 'node:net';

import { CompressedMessages } from './compressed-messages.js';

/** Of the memory of a session, as grpc-js has it. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/**
 * Stands between the clients and a server of grpc-js, which cannot compress, and compresses each message of an answer by gzip, whatever its size, if the client
 * takes it. Everything else passes as it is: headers, trailers, resets and the end of a connection.
 */
export class CompressingRelay {
  readonly #server = createServer({ maxSessionMemory: UNLIMITED });

  private constructor(
    private readonly behind: TcpServer,
    address: string,
  ) {
    const upstreams = new WeakMap<Http2Session, ClientHttp2Session>();
    this.#server.on('session', (session) => {
      const upstream = connect(address, { maxSessionMemory: UNLIMITED });
      upstreams.set(session, upstream);
      upstream.on('error', () => undefined).once('close', () => session.destroy());
      session.on('error', () => undefined).once('close', () => upstream.destroy());
    });
    this.#server.on('stream', (stream, headers) => {
      const upstream = stream.session && upstreams.get(stream.session);
      if (!upstream || upstream.destroyed) stream.close(constants.NGHTTP2_CANCEL);
      else relay(stream, upstream.request({ ...headers }), takesGzip(headers));
    });
  }

  /** `inject` hands a connection to the server behind: one of the loopback, since HTTP/2 of Node stalls over a pair of streams in memory. */
  static async start(inject: (connection: Socket) => void): Promise<CompressingRelay> {
    const behind = createTcpServer((connection) => inject(connection.setNoDelay()));
    await once(behind.listen(0, '127.0.0.1'), 'listening');
    return new CompressingRelay(behind, `http://127.0.0.1:${(behind.address() as AddressInfo).port}`);
  }

  /** Takes over a client's connection. */
  accept(connection: Socket): void {
    this.#server.emit('connection', connection);
  }

  /** Takes no further connection. Those that are open end with their clients'. */
  stop(): void {
    this.behind.close();
  }
}

const takesGzip = (headers: IncomingHttpHeaders): boolean => `${headers['grpc-accept-encoding']}`.split(/ *, */).includes('gzip');

const relay = (stream: ServerHttp2Stream, request: ClientHttp2Stream, compresses: boolean): void => {
  let trailers: IncomingHttpHeaders = {};
  stream.pipe(request);
  request.on('response', (headers, flags) => {
    if (stream.destroyed) return;
    const answer = { ...headers, ...(compresses && { 'grpc-encoding': 'gzip' }) };
    if (flags & constants.NGHTTP2_FLAG_END_STREAM) return stream.respond(answer, { endStream: true });
    stream.respond(answer, { waitForTrailers: true });
    (compresses ? request.pipe(new CompressedMessages()) : request).pipe(stream);
  });
  request.on('trailers', (received) => (trailers = received));
  stream.on('wantTrailers', () => stream.sendTrailers({ ...trailers }));
  stream.on('error', () => undefined).once('close', () => request.close(stream.rstCode));
  request
    .on('error', () => undefined)
    .once('close', () => {
      if (request.rstCode !== constants.NGHTTP2_NO_ERROR) stream.close(request.rstCode);
    });
};
