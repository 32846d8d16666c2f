import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import { ProvingReceiver } from '#testkit/webhook/proving-receiver';

import type { Seen } from './webhook-checker.js';

export interface ReceivedMessage extends Seen {
  /** The status of the session according to the message. */
  readonly status: string;
  /** The time of the event according to the message, RFC 3339. */
  readonly timestamp: string;
  /** The header `webhook-timestamp`: when the attempt began by the service's clock, epoch seconds. */
  readonly signedAt: number;
}

/** A message that has arrived whole and waits for its answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly sessionId: string;
  /** How often this message has come, from 1. */
  readonly attempt: number;
  /** How many different messages have come. */
  readonly messages: number;
}

/** Answers, or does not; returns whether it answered 2xx. */
export type Behave = (exchange: Exchange) => boolean;

export const takesEverything: Behave = ({ response }) => {
  response.writeHead(204).end();
  return true;
};

/** Every fourth message that comes for the first time is refused: often, but not so often that the service pauses the endpoint. */
const ONE_IN = 4;

export const refusesSome =
  (refuse: (response: ServerResponse) => void): Behave =>
  (exchange) => {
    if (exchange.attempt > 1 || exchange.messages % ONE_IN !== 0) return takesEverything(exchange);
    refuse(exchange.response);
    return false;
  };

export interface ReceiverOptions {
  readonly behave?: Behave;
  /** Called with each message that has arrived, before it is answered. */
  readonly arrived?: (message: { readonly type: string; readonly timestamp: string }) => void;
  readonly host?: string;
  readonly port?: number;
  /** PEM: then it speaks https. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A relying party's server in the drill's own process, so that it outlives the service; it keeps a journal. */
export class WebhookReceiver {
  readonly received: ReceivedMessage[] = [];
  /** Answers the pings of proofs, which are in no journal. */
  readonly proof = new ProvingReceiver();
  readonly #attempts = new Map<string, number>();
  readonly #server: Server;
  #open = 0;
  #mostAtOnce = 0;

  private constructor(private readonly options: ReceiverOptions) {
    const listener: RequestListener = (request, response) => this.#take(request, response);
    this.#server = options.tls ? createHttpsServer(options.tls, listener) : createHttpServer(listener);
  }

  static async open(options: ReceiverOptions = {}): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(options);
    const { port = 0, host = '127.0.0.1' } = options;
    await new Promise<void>((resolve, reject) => receiver.#server.once('error', reject).listen(port, host, resolve));
    return receiver;
  }

  get url(): string {
    const { address, port } = this.#server.address() as AddressInfo;
    return `${this.options.tls ? 'https' : 'http'}://${address}:${port}/hooks`;
  }

  /** Shows another certificate from the next connection on. */
  renew(tls: NonNullable<ReceiverOptions['tls']>): void {
    (this.#server as HttpsServer).setSecureContext(tls);
  }

  /** Whether a message waits for the end of its answer. */
  get busy(): boolean {
    return this.#open > 0;
  }

  /** The most that waited for the end of their answers at the same time. */
  get mostAtOnce(): number {
    return this.#mostAtOnce;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    this.#open++;
    this.#mostAtOnce = Math.max(this.#mostAtOnce, this.#open);
    response.once('close', () => this.#open--).on('error', () => undefined);
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      if (this.proof.answer(request, text, response)) return;
      const { 'webhook-id': id, 'webhook-timestamp': signedAt } = request.headers as Record<string, string>;
      const attempt = (this.#attempts.get(id!) ?? 0) + 1;
      this.#attempts.set(id!, attempt);
      const { type, timestamp, data } = JSON.parse(text) as {
        type: string;
        timestamp: string;
        data: { sessionId: string; sequence: number; status: string };
      };
      this.options.arrived?.({ type, timestamp });
      const taken = (this.options.behave ?? takesEverything)({
        request,
        response,
        sessionId: data.sessionId,
        attempt,
        messages: this.#attempts.size,
      });
      const { sessionId, sequence, status } = data;
      this.received.push({ id: id!, type, timestamp, sessionId, sequence, status, taken, signedAt: Number(signedAt) });
    });
  }
}
