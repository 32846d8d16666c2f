import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { ProvingReceiver } from '#testkit/webhook/proving-receiver';

/** A webhook as it was received. */
export interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A relying party's server on this machine; once it has proved itself, it answers 204 to everything. */
export class WebhookReceiver {
  readonly messages: ReceivedWebhook[] = [];
  readonly proof = new ProvingReceiver();
  readonly #waiting = new Set<() => void>();
  readonly #server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      if (this.proof.answer(request, text, response)) return;
      this.messages.push({ ...(JSON.parse(text) as ReceivedWebhook), headers: request.headers, text });
      response.writeHead(204).end();
      this.#waiting.forEach((look) => look());
    });
  });

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  of(sessionId: string): readonly ReceivedWebhook[] {
    return this.messages.filter(({ data }) => data['sessionId'] === sessionId);
  }

  /** The messages about a session, once one of this type is among them. */
  async until(sessionId: string, type: string): Promise<readonly ReceivedWebhook[]> {
    await this.#until(() => this.of(sessionId).some((message) => message.type === type));
    return this.of(sessionId);
  }

  async ping(): Promise<ReceivedWebhook> {
    const found = (): ReceivedWebhook | undefined => this.messages.find(({ type }) => type === 'endpoint.ping');
    await this.#until(() => found() !== undefined);
    return found()!;
  }

  #until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!holds()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
