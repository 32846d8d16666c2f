import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, type Server } from 'node:https';

import { HttpsPlace } from '#engines/transparency-log';

import type { IssuedCertificate, TestCa } from '../engine-access/test-ca.js';
import { reservePort } from '../processes/reserve-port.ts';

/** Answers a request in place of the server. */
export type Interception = (request: IncomingMessage, response: ServerResponse) => void;

/** An HTTPS server that keeps what is put there: in memory, for those who know its token. */
export class CheckpointServer implements AsyncDisposable {
  readonly token = 'token-of-the-place';
  readonly files = new Map<string, Buffer>();
  /** `method path` of each request. */
  readonly asked: string[] = [];
  intercept: Interception | undefined;
  #server: Server | undefined;

  private constructor(
    private readonly ca: TestCa,
    private readonly certificate: IssuedCertificate,
    private readonly port: number,
  ) {}

  static async start(ca: TestCa, certificate?: IssuedCertificate): Promise<CheckpointServer> {
    const server = new CheckpointServer(ca, certificate ?? (await ca.issue('checkpoints')), await reservePort());
    await server.open();
    return server;
  }

  get url(): string {
    return `https://localhost:${this.port}/checkpoints`;
  }

  /** What a service of these settings knows. */
  place({ token = this.token, timeout = 5_000 } = {}): HttpsPlace {
    return new HttpsPlace({
      name: 'ANCHOR_URL',
      url: this.url,
      agent: new Agent({ keepAlive: true }),
      authorization: () => `Bearer ${token}`,
      ca: () => readFileSync(this.ca.file, 'utf8'),
      timeout,
    });
  }

  /** Listens, after {@link close} on the same port. */
  async open(): Promise<void> {
    const { certFile, keyFile } = this.certificate;
    const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (request, response) => {
      this.asked.push(`${request.method} ${request.url}`);
      if (this.intercept) this.intercept(request, response);
      else void this.#answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.#server = server;
  }

  async close(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').replace('/checkpoints/', '');
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    if (request.headers.authorization !== `Bearer ${this.token}`) return void response.writeHead(401).end();
    const found = this.files.get(path);
    if (request.method === 'PUT') this.files.set(path, Buffer.concat(chunks));
    if (request.method === 'DELETE') this.files.delete(path);
    if (request.method === 'GET') response.writeHead(found ? 200 : 404).end(found);
    else response.writeHead(204).end();
  }
}
