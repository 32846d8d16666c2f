import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';

import type { EgressProxy } from '#engines/egress';
import { isPublicName } from '#kernel';

import type { AttemptError } from '../domain/delivery.events.js';
import type { ReachableNetworks } from '../domain/reachable-networks.js';
import { guardedLookup, type Resolve, UnreachableAddress } from './guarded-lookup.js';

export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly signal?: AbortSignal;
}

/** The outcome of one attempt: the status, or why there was no answer. Never holds text of the receiver. */
export type PostOutcome = { readonly status: number; readonly retryAfter?: string } | { readonly error: AttemptError };

export interface PostOptions {
  readonly networks: ReachableNetworks;
  readonly resolve?: Resolve;
  /** Opens the connections, to the addresses that are checked here. Where it resolves names itself, only names and literals are checked. */
  readonly egress?: EgressProxy | undefined;
  /** Milliseconds until the connection is open, TLS included. */
  readonly connectTimeout?: number;
  /** Milliseconds for the whole exchange. */
  readonly timeout?: number;
}

const CONNECT_TIMEOUT = 5_000;
const TIMEOUT = 15_000;
/** Bytes of an answer that are read. Its body is thrown away. */
const MAX_BODY = 16_384;
const MAX_HEADERS = 16_384;

/**
 * Posts to URLs that clients chose: to checked addresses only, without redirects, directly or by the egress proxy, in bounded time and size
 * (specification/webhooks.md#addresses-of-endpoints). Connections are kept open and used again.
 */
export class GuardedPost {
  readonly #options: Required<Omit<PostOptions, 'resolve' | 'egress'>>;
  readonly #checksNames: boolean;
  readonly #agents: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent };

  constructor({ networks, resolve, egress, connectTimeout = CONNECT_TIMEOUT, timeout = TIMEOUT }: PostOptions) {
    this.#options = { networks, connectTimeout, timeout };
    this.#checksNames = egress?.resolves === true;
    const agent = { keepAlive: true, maxFreeSockets: 64, timeout };
    const lookup = guardedLookup(networks, resolve);
    this.#agents = egress?.agents({ agent, lookup, timeout: connectTimeout }) ?? {
      'http:': new HttpAgent({ ...agent, lookup }),
      'https:': new HttpsAgent({ ...agent, lookup }),
    };
  }

  /** Never rejects. */
  send(request: PostRequest): Promise<PostOutcome> {
    const url = new URL(request.url);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // Sockets do not call the resolver for an IP literal.
    const unreachable = isIP(host) === 0 ? this.#checksNames && !isPublicName(host) : !this.#options.networks.mayReach(host);
    if (unreachable) return Promise.resolve({ error: 'unreachable_address' });
    return new Promise((resolve) => this.#exchange(url, request, resolve));
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #exchange(url: URL, request: PostRequest, settle: (outcome: PostOutcome) => void): void {
    const { headers, body, signal } = request;
    const secure = url.protocol === 'https:';
    const options = {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      maxHeaderSize: MAX_HEADERS,
      ...(signal && { signal }),
    };
    const exchange = secure
      ? httpsRequest(url, { ...options, agent: this.#agents['https:'] })
      : httpRequest(url, { ...options, agent: this.#agents['http:'] });
    let answer: IncomingMessage | undefined;
    // A status is an answer, even if the body does not end in time.
    const total = setTimeout(() => (answer ? answer.destroy() : exchange.destroy(new TimedOut())), this.#options.timeout);
    const finish = (outcome: PostOutcome) => {
      clearTimeout(total);
      settle(outcome);
    };
    exchange.on('socket', (socket: Socket) => this.#watch(exchange, socket, secure));
    exchange.on('response', (response) => discardBody((answer = response), () => finish(outcomeOf(response))));
    exchange.on('error', (error: NodeJS.ErrnoException) => {
      if (!exchange.reusedSocket || answer || !wasClosed(error)) return finish({ error: faultOf(error) });
      // The receiver closed an idle connection while it was being used again: that is not a refusal.
      clearTimeout(total);
      this.#exchange(url, request, settle);
    });
    exchange.end(body);
  }

  #watch(exchange: ClientRequest, socket: Socket, secure: boolean): void {
    if (!socket.connecting) return;
    const late = setTimeout(() => exchange.destroy(new TimedOut()), this.#options.connectTimeout);
    socket.once('close', () => clearTimeout(late));
    socket.once(secure ? 'secureConnect' : 'connect', () => clearTimeout(late));
    socket.once('connect', () => {
      if (!this.#options.networks.mayReach(socket.remoteAddress ?? '')) exchange.destroy(new UnreachableAddress());
    });
  }
}

const wasClosed = ({ code }: NodeJS.ErrnoException): boolean => code === 'ECONNRESET' || code === 'EPIPE';

class TimedOut extends Error {
  readonly code = 'ETIMEDOUT';
}

const discardBody = (response: IncomingMessage, done: () => void): void => {
  let read = 0;
  response.on('data', (chunk: Buffer) => {
    read += chunk.length;
    if (read > MAX_BODY) response.destroy();
  });
  response.once('error', () => undefined);
  response.once('close', done);
};

const outcomeOf = ({ statusCode = 0, headers }: IncomingMessage): PostOutcome => ({
  status: statusCode,
  ...(headers['retry-after'] !== undefined && { retryAfter: headers['retry-after'] }),
});

const faultOf = ({ code = '' }: NodeJS.ErrnoException): Extract<PostOutcome, { error: unknown }>['error'] => {
  if (code === 'ERR_UNREACHABLE_ADDRESS') return 'unreachable_address';
  if (code === 'ENOTFOUND') return 'unknown_host';
  if (code === 'ERR_EGRESS_PROXY') return 'proxy_failed';
  if (code === 'ETIMEDOUT' || code === 'ABORT_ERR') return 'timeout';
  if (code.startsWith('HPE_')) return 'bad_answer';
  return /CERT|TLS|SSL|SELF_SIGNED/.test(code) ? 'tls_failed' : 'connection_failed';
};
