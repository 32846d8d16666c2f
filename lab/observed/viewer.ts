import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

import { askPrometheus, dashboardPage } from './dashboard.ts';
import { SeenTraces } from './seen-traces.ts';
import { type SeenSpan, spansOf } from './spans.ts';
import { traceList, waterfall } from './waterfall.ts';

/** The most bytes of an export, packed and unpacked. */
const LARGEST_EXPORT = 16 * 1024 * 1024;
/** Minutes that the dashboard shows, unless the query says another number. */
const MINUTES = 15;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/**
 * A receiver of traces (OTLP over HTTP in JSON), with pages about them and about Prometheus' metrics: for a developer's machine, on loopback, in memory.
 * Do not use it as a collector for other programs.
 */
export class Viewer {
  readonly #traces = new SeenTraces();
  readonly #server: Server;
  readonly #prometheus: string;

  /** `prometheus`: the address of a Prometheus, without a slash at its end. */
  constructor(prometheus: string) {
    this.#prometheus = prometheus;
    this.#server = createServer((request, response) => {
      void this.#answer(request)
        .catch((error: unknown): Answer => ({ status: 400, type: 'text/plain', body: String(error) }))
        .then(({ status, type, body }) => {
          // The pages show text that was sent here: a browser must not run any of it.
          const policy = "default-src 'none'; style-src 'unsafe-inline'";
          const headers = { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': policy, 'x-content-type-options': 'nosniff' };
          response.writeHead(status, headers);
          response.end(body);
        });
    });
  }

  /** Port 0: any. */
  async start(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** Also for OTEL_EXPORTER_OTLP_ENDPOINT. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The newest first. */
  traces(): readonly (readonly SeenSpan[])[] {
    return this.#traces.list();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (request.method === 'POST' && pathname === '/v1/traces') {
      this.#traces.add(spansOf(await bodyOf(request)));
      return { status: 200, type: 'application/json', body: '{}' };
    }
    const traceId = /^\/traces\/([\da-f]{32})$/.exec(pathname)?.[1];
    if (traceId !== undefined) return html(waterfall(traceId, this.#traces.find(traceId)));
    if (pathname === '/dashboard') {
      const minutes = Number(searchParams.get('minutes')) || MINUTES;
      return html(await dashboardPage(askPrometheus(this.#prometheus, { minutes, now: Date.now() })));
    }
    if (pathname === '/') return html(traceList(this.traces()));
    return { status: 404, type: 'text/plain', body: 'There is no such page.' };
  }
}

const html = (body: string): Answer => ({ status: 200, type: 'text/html', body });

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > LARGEST_EXPORT) throw new RangeError('the export is too large');
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  const isPacked = request.headers['content-encoding'] === 'gzip';
  return (isPacked ? gunzipSync(body, { maxOutputLength: LARGEST_EXPORT }) : body).toString();
};
