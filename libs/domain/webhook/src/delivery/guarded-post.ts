import type { IncomingMessage } from 'node:http';

import type { EgressProxy } from '#engines/egress';

import type { AttemptError } from '../domain/delivery.events.js';
import type { ReachableNetworks } from '../domain/reachable-networks.js';
import { GuardedExchange } from './guarded-exchange.js';
import type { Resolve } from './guarded-lookup.js';

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
  /** As {@link GuardedExchange} has it. */
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

/** Posts to URLs that clients chose, by {@link GuardedExchange}, and reads of the answer its status alone. Connections are kept open and used again. */
export class GuardedPost {
  readonly #exchange: GuardedExchange;

  constructor({ connectTimeout = CONNECT_TIMEOUT, timeout = TIMEOUT, ...options }: PostOptions) {
    this.#exchange = new GuardedExchange({ ...options, connectTimeout, timeout, agent: { keepAlive: true, maxFreeSockets: 64 } });
  }

  /** Never rejects. */
  send(request: PostRequest): Promise<PostOutcome> {
    return this.#exchange.run<PostOutcome>({ ...request, method: 'POST' }, (answer, done) => discardBody(answer, () => done(outcomeOf(answer))));
  }

  close(): void {
    this.#exchange.close();
  }
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
