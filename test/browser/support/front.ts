import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener, request as httpRequest, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';

import { TestCa } from '#testkit/engine-access/test-ca';

import { reservePort } from '../../../testkit/processes/reserve-port.ts';

/** The path of a relying party on the front itself: the service tells browsers to use https for all of its host. */
export const CALLBACK = '/callback';

/** More origins before a service. One has TLS, by a certificate of a CA that no browser knows: WebKit keeps a `Secure` cookie of https only, and makes no exception for localhost. */
export class Front implements AsyncDisposable {
  /** The address of the service behind it, once that runs. */
  service = '';

  private constructor(
    readonly tlsOrigin: string,
    readonly plainOrigin: string,
    private readonly servers: readonly Server[],
    private readonly ca: TestCa,
  ) {}

  static async start(): Promise<Front> {
    const ca = await TestCa.make();
    const { certFile, keyFile } = await ca.issue('localhost');
    const handle: RequestListener = (request, response) => front.handle(request, response);
    const servers = [createTlsServer({ cert: await readFile(certFile), key: await readFile(keyFile) }, handle), createServer(handle)] as const;
    const [tlsPort, port] = [await reservePort(), await reservePort()];
    const front = new Front(`https://localhost:${tlsPort}`, `http://localhost:${port}`, servers, ca);
    await Promise.all([once(servers[0].listen(tlsPort, '127.0.0.1'), 'listening'), once(servers[1].listen(port, '127.0.0.1'), 'listening')]);
    return front;
  }

  private readonly handle: RequestListener = (request, response) => {
    const { method, url = '/', headers } = request;
    if (url.startsWith(CALLBACK)) {
      response.setHeader('content-type', 'text/html').end('<!doctype html><html lang="en"><title>Shop</title><h1 id="shop">The shop</h1>');
      return;
    }
    const forwarded = httpRequest(`${this.service}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  };

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.servers) {
      server.close();
      server.closeAllConnections();
    }
    await this.ca[Symbol.asyncDispose]();
  }
}
