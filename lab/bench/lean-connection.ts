import { connect, type Socket } from 'node:net';

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface LeanAnswer {
  readonly status: number;
  readonly contentType: string;
  /** The first cookie that it sets: `name=value`, or an empty text. */
  readonly cookie: string;
  readonly body: string;
  /** Whether the server closes the connection after it. */
  readonly last: boolean;
}

const CRLF = '\r\n';

/** The bytes of a request. */
export const requestBytes = (host: string, { method, path, headers = {}, body = '' }: HttpRequest): Buffer => {
  const length = body === '' ? {} : { 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries({ host, ...headers, ...length }).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([`${method} ${path} HTTP/1.1`, ...lines, '', body].join(CRLF));
};

/**
 * One request at a time over one connection, with next to no work on this side: Node's own client costs as much as
 * the measured server. Reads only answers with a content-length.
 */
export class LeanConnection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #waiting: PromiseWithResolvers<LeanAnswer> | undefined;

  constructor(host: string, port: number) {
    this.#socket = connect({ host, port, noDelay: true });
    this.#socket.on('data', (bytes) => this.#take(bytes));
    this.#socket.on('error', (error) => this.#waiting?.reject(error));
    this.#socket.on('close', () => this.#waiting?.reject(new Error('connection closed')));
  }

  get closed(): boolean {
    return this.#socket.destroyed || this.#socket.readableEnded;
  }

  send(request: Buffer): Promise<LeanAnswer> {
    this.#waiting = Promise.withResolvers<LeanAnswer>();
    this.#socket.write(request);
    return this.#waiting.promise;
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(bytes: Buffer): void {
    this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes]);
    const head = this.#received.indexOf(CRLF + CRLF);
    if (head < 0) return;
    const text = this.#received.toString('latin1', 0, head);
    const length = Number(/\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
    const end = head + 4 + length;
    if (this.#received.length < end) return;
    const body = this.#received.toString('utf8', head + 4, end);
    this.#received = Buffer.alloc(0);
    const contentType = /\ncontent-type: ([^\r]*)/i.exec(text)?.[1] ?? '';
    const cookie = /\nset-cookie: ([^;\r]*)/i.exec(text)?.[1] ?? '';
    this.#waiting?.resolve({ status: Number(text.slice(9, 12)), contentType, cookie, body, last: /\nconnection: close/i.test(text) });
  }
}
