import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

import { Metrics } from '#telemetry';

import { createHttpApp, createPlainApp, type HttpServer, serve } from './index.js';
import { ID, MemoryLog, OrderModule, OrderNotFound } from '#testkit/http/orders';

describe('a body over a socket', () => {
  const MEGABYTE = 'x'.repeat(1 << 20);
  let served: NestFastifyApplication;
  let server: HttpServer;
  let address: string;
  beforeAll(async () => {
    served = await createHttpApp(OrderModule, {
      log: new MemoryLog(),
      metrics: new Metrics(),
      onRequest: [
        async (request: FastifyRequest) => {
          if (request.headers.authorization === 'none') throw new OrderNotFound('refused early');
        },
      ],
    });
    server = await serve({ host: '127.0.0.1', port: 0, mounts: [{ prefix: '/v1', app: served }], fallback: createPlainApp() });
    address = `http://127.0.0.1:${server.port}`;
  });
  afterAll(async () => {
    await server.close();
    await served.close();
  });

  const send = (path: string, headers: Record<string, string> = {}) =>
    fetch(address + path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: MEGABYTE });

  it('leaves the request in its trace context, and requests side by side each in its own', async () => {
    const traces = Array.from({ length: 20 }, (_, index) => `00-${String(index + 1).padStart(32, 'a')}-00f067aa0ba902b7-01`);
    const traceOf = async (traceparent: string): Promise<unknown> => {
      const headers = { 'content-type': 'application/json', traceparent };
      const answer = await fetch(`${address}/v1/trace`, { method: 'POST', headers, body: JSON.stringify({ name: 'a' }) });
      return ((await answer.json()) as { trace?: string }).trace;
    };
    expect(await Promise.all(traces.map(traceOf))).toEqual(traces);
    expect(await traceOf('00-no-trace-00')).toBeUndefined();
  });

  it('that is large gets its answer, and leaves the connection usable', async () => {
    for (let i = 0; i < 3; i++) {
      expect((await send(`/v1/order/${ID}/completion`)).status).toBe(200);
      expect((await send('/v1/order')).status).toBe(413);
      expect((await send('/v1/order', { authorization: 'none' })).status).toBe(404);
      expect((await send('/v1/nothing')).status).toBe(404);
      expect((await fetch(`${address}/v1/open`)).status).toBe(200);
    }
  });
});
