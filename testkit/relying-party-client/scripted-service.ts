import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

export interface ScriptedAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Cuts the connection instead of answering. */
  readonly dropped?: boolean;
  /** Never answers. */
  readonly silent?: boolean;
}

/** A real HTTP server that gives the scripted answers in order and repeats the last one. */
export class ScriptedService {
  readonly seen: SeenRequest[] = [];
  #answers: ScriptedAnswer[] = [];

  private constructor(private readonly server: Server) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.#answer(request, response));
  }

  static async start(): Promise<ScriptedService> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ScriptedService(server);
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  willAnswer(...answers: ScriptedAnswer[]): void {
    this.#answers = answers;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    this.seen.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    });
    const answer = this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0];
    if (answer === undefined) throw new Error('no answer was scripted');
    if (answer.silent) return;
    if (answer.dropped) return void request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {}));
  }
}

/** The envelope of specification/conventions.md#error-envelope. */
export const refused = (status: number, errorCode: string, headers: Record<string, string> = {}): ScriptedAnswer => ({
  status,
  headers,
  body: { errorCode, defaultTranslation: `about ${errorCode}`, resultMessageLangCode: 'en', payload: null },
});
