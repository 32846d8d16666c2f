import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { ProvingReceiver } from '#testkit/webhook/proving-receiver';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: { readonly type: string; readonly timestamp: string; readonly data: Readonly<Record<string, unknown>> };
}

export type Behaviour = (response: ServerResponse, received: Received, count: number) => void;

/** Answers 204. */
export const answersNoContent: Behaviour = (response) => void response.writeHead(204).end();
export const answering =
  (status: number, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (response) =>
    void response.writeHead(status, headers).end();

/** A relying party's server: keeps the requests, and answers by `behaviour`. */
export class Receiver {
  readonly received: Received[] = [];
  /** Answers the pings of proofs, which are not among `received`. */
  readonly proof = new ProvingReceiver();
  /** The most requests that waited for their answers at the same time. */
  mostAtOnce = 0;
  #open = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  behaviour: Behaviour = answersNoContent;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#open);
      response.once('close', () => this.#open--);
      let text = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      request.on('end', () => {
        if (this.proof.answer(request, text, response)) return;
        const received = { headers: request.headers, text, body: JSON.parse(text) as Received['body'] };
        this.received.push(received);
        this.behaviour(response, received, this.received.length);
      });
    });
    this.#server.on('connection', (socket: Socket) => this.#sockets.add(socket));
  }

  static async open(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks`;
  }

  types(): readonly string[] {
    return this.received.map(({ body }) => body.type);
  }

  async close(): Promise<void> {
    this.#sockets.forEach((socket) => socket.destroy());
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
