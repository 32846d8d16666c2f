import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedMessage {
  readonly id: string;
  readonly type: string;
  readonly sessionId: string;
  readonly sequence: number;
  /** Whether it was answered with 204. */
  readonly taken: boolean;
}

/** How a message is refused. */
export type Refuse = (response: ServerResponse) => void;

/** Of the messages that come for the first time every fourth is refused: often, but not so often that the service leaves the endpoint alone. */
const ONE_IN = 4;

/** A relying party's server in the drill's own process, so that it outlives the service; it keeps a journal. */
export class WebhookReceiver {
  readonly received: ReceivedMessage[] = [];
  readonly #attempts = new Map<string, number>();
  readonly #server: Server;

  private constructor(refuse: Refuse | undefined) {
    this.#server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      request.on('end', () => {
        const id = String(request.headers['webhook-id']);
        const attempt = (this.#attempts.get(id) ?? 0) + 1;
        this.#attempts.set(id, attempt);
        const refused = refuse !== undefined && attempt === 1 && this.#attempts.size % ONE_IN === 0;
        if (refused) refuse(response);
        else response.writeHead(204).end();
        const { type, data } = JSON.parse(text) as { type: string; data: { sessionId: string; sequence: number } };
        this.received.push({ id, type, ...data, taken: !refused });
      });
    });
  }

  static async open(refuse?: Refuse): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(refuse);
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks`;
  }

  /** Ids that were taken. */
  taken(): ReadonlySet<string> {
    return new Set(this.received.filter(({ taken }) => taken).map(({ id }) => id));
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
