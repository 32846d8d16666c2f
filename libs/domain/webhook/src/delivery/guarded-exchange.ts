import { Agent as HttpAgent, type AgentOptions, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';

import type { EgressProxy } from '#engines/egress';
import { isPublicName } from '#kernel';

import type { AttemptError } from '../domain/delivery.events.js';
import type { ReachableNetworks } from '../domain/reachable-networks.js';
import { guardedLookup, type Resolve, UnreachableAddress } from './guarded-lookup.js';

export interface ExchangeOptions {
  readonly networks: ReachableNetworks;
  readonly resolve?: Resolve | undefined;
  /** Opens the connections, to the addresses that are checked here. Where it resolves names itself, only names and literals are checked. */
  readonly egress?: EgressProxy | undefined;
  /** Milliseconds until the connection is open, TLS included. */
  readonly connectTimeout: number;
  /** Milliseconds for the whole exchange. */
  readonly timeout: number;
  /** How connections are kept. */
  readonly agent?: AgentOptions;
}

export interface GuardedRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Why there was no answer. Never holds text of the other side. */
export interface ExchangeFault {
  readonly error: AttemptError;
}

/** Reads the body of an answer, which the end of the time destroys, and tells what came of it once. */
export type BodyReader<Result> = (answer: IncomingMessage, done: (result: Result) => void) => void;

const MAX_HEADERS = 16_384;

/**
 * Exchanges with hosts that clients chose: to checked addresses only, without redirects, directly or by the egress proxy, in bounded time
 * (specification/webhooks.md#addresses-of-endpoints).
 */
export class GuardedExchange {
  readonly #checksNames: boolean;
  readonly #agents: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent };

  constructor(private readonly options: ExchangeOptions) {
    const { networks, resolve, egress, connectTimeout, timeout } = options;
    this.#checksNames = egress?.resolves === true;
    const agent = { ...options.agent, timeout };
    const lookup = guardedLookup(networks, resolve);
    this.#agents = egress?.agents({ agent, lookup, timeout: connectTimeout }) ?? {
      'http:': new HttpAgent({ ...agent, lookup }),
      'https:': new HttpsAgent({ ...agent, lookup }),
    };
  }

  /** Never rejects. */
  run<Result>(request: GuardedRequest, read: BodyReader<Result>): Promise<Result | ExchangeFault> {
    const url = new URL(request.url);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // Sockets do not call the resolver for an IP literal.
    const unreachable = isIP(host) === 0 ? this.#checksNames && !isPublicName(host) : !this.options.networks.mayReach(host);
    if (unreachable) return Promise.resolve({ error: 'unreachable_address' });
    return new Promise((resolve) => this.#exchange(url, { ...request, read }, resolve));
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #exchange<Result>(
    url: URL,
    request: GuardedRequest & { readonly read: BodyReader<Result> },
    settle: (outcome: Result | ExchangeFault) => void,
  ): void {
    const { method, headers, body, signal, read } = request;
    const secure = url.protocol === 'https:';
    const options = {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
      maxHeaderSize: MAX_HEADERS,
      ...(signal && { signal }),
    };
    const exchange = secure
      ? httpsRequest(url, { ...options, agent: this.#agents['https:'] })
      : httpRequest(url, { ...options, agent: this.#agents['http:'] });
    let answer: IncomingMessage | undefined;
    // A status is an answer, even if the body does not end in time.
    const total = setTimeout(() => (answer ? answer.destroy() : exchange.destroy(new TimedOut())), this.options.timeout);
    const finish = (outcome: Result | ExchangeFault) => {
      clearTimeout(total);
      settle(outcome);
    };
    exchange.on('socket', (socket: Socket) => this.#watch(exchange, socket, secure));
    exchange.on('response', (response) => read((answer = response), finish));
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
    const late = setTimeout(() => exchange.destroy(new TimedOut()), this.options.connectTimeout);
    socket.once('close', () => clearTimeout(late));
    socket.once(secure ? 'secureConnect' : 'connect', () => clearTimeout(late));
    socket.once('connect', () => {
      if (!this.options.networks.mayReach(socket.remoteAddress ?? '')) exchange.destroy(new UnreachableAddress());
    });
  }
}

const wasClosed = ({ code }: NodeJS.ErrnoException): boolean => code === 'ECONNRESET' || code === 'EPIPE';

class TimedOut extends Error {
  readonly code = 'ETIMEDOUT';
}

const faultOf = ({ code = '' }: NodeJS.ErrnoException): AttemptError => {
  if (code === 'ERR_UNREACHABLE_ADDRESS') return 'unreachable_address';
  if (code === 'ENOTFOUND') return 'unknown_host';
  if (code === 'ERR_EGRESS_PROXY') return 'proxy_failed';
  if (code === 'ETIMEDOUT' || code === 'ABORT_ERR') return 'timeout';
  if (code.startsWith('HPE_')) return 'bad_answer';
  return /CERT|TLS|SSL|SELF_SIGNED/.test(code) ? 'tls_failed' : 'connection_failed';
};
