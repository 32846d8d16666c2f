import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { Metrics } from '#telemetry';

import { createHttpApp } from './index.js';
import { envelope, ID, MemoryLog, OrderModule } from '#testkit/http/orders';

let app: NestFastifyApplication;
let log: MemoryLog;
let metrics: Metrics;

beforeAll(async () => {
  log = new MemoryLog();
  metrics = new Metrics();
  app = await createHttpApp(OrderModule, { log, metrics });
});
afterAll(() => app.close());

const lineOf = (requestId: string) => log.lines.filter(({ fields }) => fields?.requestId === requestId);

describe('a lean route', () => {
  const url = `/v1/order/${ID}/state`;
  const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

  it("runs no guard of Nest, and is answered, logged and measured as every route, in the request's trace", async () => {
    const answer = await app.inject({ url, headers: { 'x-request-id': 'lean-1', traceparent: TRACE } });
    expect([answer.statusCode, answer.json()]).toEqual([200, { id: ID, trace: TRACE }]);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'lean-1',
    });
    const line = { message: 'request', fields: expect.objectContaining({ method: 'GET', route: '/v1/order/:id/state', status: 200 }) };
    expect(lineOf('lean-1')).toEqual([line]);
    expect(await metrics.registry.metrics()).toContain(
      'http_request_duration_seconds_count{method="GET",route="/v1/order/:id/state",status="200"} 1',
    );
  });

  it('answers HEAD as GET, without a body', async () => {
    const [head, get] = [await app.inject({ method: 'HEAD', url }), await app.inject(url)];
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', String(get.body.length)]);
  });

  it.each([
    ['domain', 404, envelope('session_not_found', 'The session does not exist.')],
    ['payload', 403, envelope('wrong_pin', 'The PIN is wrong.', { attemptsLeft: 1 })],
    ['unavailable', 503, envelope('service_unavailable')],
    ['limited', 429, envelope('rate_limited')],
    ['unexpected', 500, envelope('internal_error')],
  ])('answers the refusal %s as every route does', async (fail, status, body) => {
    const [lean, other] = [await app.inject(`${url}?fail=${fail}`), await app.inject(`/v1/fail/${fail}`)];
    expect([lean.statusCode, lean.json()]).toEqual([status, body]);
    const [headers, others] = [lean, other].map((answer) => ({ ...answer.headers, 'x-request-id': undefined, date: undefined }));
    expect(headers).toEqual(others);
  });

  it('logs the private reason of a refusal', async () => {
    await app.inject({ url: `${url}?fail=domain`, headers: { 'x-request-id': 'lean-2' } });
    const fields = { route: '/v1/order/:id/state', status: 404, errorCode: 'session_not_found', reason: 'it belongs to client 7' };
    expect(lineOf('lean-2')).toEqual([{ message: 'request refused', fields: expect.objectContaining(fields) }]);
  });

  it('is not found without a value for its parameter', async () => {
    for (const path of ['/v1/order//state', '/v1/order//state?fail=domain']) {
      const answer = await app.inject(path);
      expect([answer.statusCode, answer.json()]).toEqual([404, envelope('not_found')]);
    }
  });
});
