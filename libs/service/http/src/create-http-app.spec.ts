import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { Metrics } from '#telemetry';

import { createHttpApp } from './index.js';
import { envelope, ID, MemoryLog, OrderModule } from '#testkit/http/orders';

let app: NestFastifyApplication;
let log: MemoryLog;

beforeAll(async () => {
  log = new MemoryLog();
  app = await createHttpApp(OrderModule, { log, metrics: new Metrics() });
});
afterAll(() => app.close());

const post = (payload: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  app.inject({ method: 'POST', url: '/v1/order', headers, payload });

describe('a body', () => {
  it('is accepted when its class allows it', async () => {
    const answer = await post('{"name":"a","gift":true,"colour":"RED"}');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ name: 'a', gift: true, colour: 'RED' });
  });

  it('may name its charset', async () => {
    expect((await post('{"name":"a"}', { 'content-type': 'application/json; charset=UTF-8' })).statusCode).toBe(200);
    expect((await post('{"name":"a"}', { 'content-type': 'application/json; charset=latin1' })).json()).toEqual(
      envelope('invalid_request', 'The body must be encoded in UTF-8.'),
    );
  });

  it.each([
    ['empty', '', 'The body is empty; send a JSON object.'],
    ['broken', '{"name":', 'The body is not valid JSON.'],
    ['an array', '[{"name":"a"}]', 'The body must be a JSON object.'],
    ['a number', '7', 'The body must be a JSON object.'],
    ['null', 'null', 'The body must be a JSON object.'],
    ['not UTF-8', Buffer.from('{"name":"\xff"}', 'latin1'), 'The body is not valid UTF-8.'],
    ['too deep', `{"name":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 'The body nests deeper than 16 levels.'],
    ['ambiguous', '{"name":"a","name":"b"}', '`name` appears twice.'],
    ['ambiguous in another spelling', '{"name":"a","n\\u0061me":"b"}', '`name` appears twice.'],
    ['poisoned', '{"name":"a","__proto__":{"gift":true}}', '`__proto__` is not a field of this request.'],
    ['poisoned by constructor', '{"constructor":{"prototype":{}}}', '`constructor` is not a field of this request.'],
    ['without a required field', '{}', '`name` is required.'],
    ['with null for a required field', '{"name":null}', '`name` is required.'],
    ['with null for an unknown field', '{"name":"a","client_id":null}', '`client_id` is not a field of this request.'],
    ['with a wrong type', '{"name":7}', '`name` must be a string.'],
    ['with an object for a text', '{"name":{"toString":"x"}}', '`name` must be a string.'],
    ['with a text for a boolean', '{"name":"a","gift":"true"}', '`gift` must be true or false.'],
    ['with a blank text', '{"name":"   "}', '`name` must not be blank.'],
    ['with a long text', '{"name":"abcdef"}', '`name` must be at most 5 characters long.'],
    ['with a lone surrogate', '{"name":"a","title":"\\ud800"}', '`title` must be well-formed Unicode, without lone surrogates.'],
    ['with a line break', '{"name":"a","title":"a\\nb"}', '`title` must not contain control or bidirectional-override characters.'],
    ['with an override', '{"name":"a","title":"a\u202eb"}', '`title` must not contain control or bidirectional-override characters.'],
    ['with a value that is not listed', '{"name":"a","colour":"GREEN"}', '`colour` must be one of RED, BLUE.'],
    [
      'with a field of another spelling',
      '{"name":"a","redirectUri":"x"}',
      '`redirectUri` is not a field of this request; did you mean `redirect_uri`?',
    ],
    ['with an unknown field', '{"name":"a","client_id":"x"}', '`client_id` is not a field of this request.'],
    ['with a hostile field name', '{"name":"a","\\u0000\\u202e`":1}', '`???` is not a field of this request.'],
  ])('that is %s is refused', async (_, body, text) => {
    const answer = await post(body);
    expect(answer.json()).toEqual(envelope('invalid_request', text));
    expect(answer.statusCode).toBe(400);
  });

  it('with null for an optional field counts as one without the field', async () => {
    const answer = await post('{"name":"a","gift":null,"title":null,"colour":"RED","redirect_uri":null}');
    expect([answer.statusCode, answer.json()]).toEqual([200, { name: 'a', colour: 'RED' }]);
  });

  it('counts code points, not UTF-16 units', async () => {
    expect((await post(JSON.stringify({ name: '😀😀😀😀😀' }))).statusCode).toBe(200);
    expect((await post(JSON.stringify({ name: '😀😀😀😀😀😀' }))).statusCode).toBe(400);
  });

  it('is required where a class describes it', async () => {
    const answer = await app.inject({ method: 'POST', url: '/v1/order' });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual(envelope('invalid_request', 'The body is missing; send a JSON object.'));
  });

  it('is at most 64 KiB long', async () => {
    const fits = `{"name":"a"}${' '.repeat(64 * 1024 - 12)}`;
    expect((await post(fits)).statusCode).toBe(200);
    const answer = await post(`${fits} `);
    expect(answer.statusCode).toBe(413);
    expect(answer.json()).toEqual(envelope('invalid_request', 'The body is larger than 64 KiB.'));
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json-patch+json', 'nonsense', ''])(
    'of type %p is refused',
    async (type) => {
      const answer = await post('{"name":"a"}', type === '' ? {} : { 'content-type': type });
      expect(answer.statusCode).toBe(415);
      expect(answer.json()).toEqual(envelope('invalid_request', 'Send the body as JSON, with the header Content-Type: application/json.'));
    },
  );

  it.each([
    ['nothing', undefined, {}],
    ['broken JSON', '{', { 'content-type': 'application/json' }],
    ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['an invalid type', 'x', { 'content-type': ';;;' }],
    ['a megabyte', 'x'.repeat(1 << 20), { 'content-type': 'application/json' }],
  ])('is ignored on a route with ignoreBody: %s', async (_, payload, headers) => {
    const answer = await app.inject({
      method: 'POST',
      url: `/v1/order/${ID}/completion`,
      ...(payload === undefined ? {} : { payload }),
      headers: headers as Record<string, string>,
    });
    expect(answer.json()).toEqual({ done: true });
  });

  it.each([
    ['an object', '{"a":1}', { 'content-type': 'application/json; charset=utf-8' }, { a: 1 }],
    ['nothing', undefined, {}, undefined],
    ['an empty body', '', { 'content-type': 'application/json' }, undefined],
    ['broken JSON', '{', { 'content-type': 'application/json' }, undefined],
    ['a list', '[]', { 'content-type': 'application/json' }, undefined],
    ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, undefined],
    ['an invalid type', '{"a":1}', { 'content-type': ';;;' }, undefined],
    ['a megabyte', `{"a":"${'x'.repeat(1 << 20)}"}`, { 'content-type': 'application/json' }, undefined],
  ])('is read on a route with optionalBody if it is a JSON object, and ignored otherwise: %s', async (_, payload, headers, read) => {
    const answer = await app.inject({
      method: 'POST',
      url: `/v1/order/${ID}/note`,
      ...(payload === undefined ? {} : { payload }),
      headers: headers as Record<string, string>,
    });
    expect([answer.statusCode, answer.json()]).toEqual([200, { read: read ?? 'nothing' }]);
  });

  it('is ignored on GET and DELETE', async () => {
    const headers = { 'content-type': 'application/json' };
    expect((await app.inject({ method: 'DELETE', url: `/v1/order/${ID}`, headers, payload: '{' })).statusCode).toBe(204);
    expect((await app.inject({ method: 'GET', url: `/v1/order/${ID}`, headers, payload: '{' })).statusCode).toBe(200);
  });
});

describe('a query', () => {
  it('is converted and checked', async () => {
    expect((await app.inject('/v1/orders?limit=10&after=x')).json()).toEqual({ limit: 10, after: 'x' });
    expect((await app.inject('/v1/orders')).json()).toEqual({});
  });

  it.each([
    ['limit=x', '`limit` must be a whole number.'],
    ['limit=1e1', '`limit` must be a whole number.'],
    ['limit=0', '`limit` must not be less than 1.'],
    ['limit=1&limit=2', '`limit` must be given once.'],
  ])('%s is refused', async (query, text) => {
    expect((await app.inject(`/v1/orders?${query}`)).json()).toEqual(envelope('invalid_request', text));
  });

  it('may hold unknown parameters', async () => {
    expect((await app.inject('/v1/orders?_=1&__proto__=x')).json()).toEqual({});
  });
});

describe('a path', () => {
  it('that is unknown is answered 404, with any body', async () => {
    for (const url of ['/', '/nothing', '/v1//orders', '/%zz', '/v1/order/x/y', '/v1/%00']) {
      const answer = await app.inject({ method: 'POST', url, headers: { 'content-type': 'application/json' }, payload: '{' });
      expect([answer.statusCode, answer.json()]).toEqual([404, envelope('not_found')]);
    }
  });

  it.each(['7', '%zz', 'x'.repeat(5000), `${ID}0`])('with an id that is no UUID is answered like an unknown id', async (id) => {
    const answer = await app.inject(`/v1/order/${id}`);
    expect([answer.statusCode, answer.json()]).toEqual([404, envelope('session_not_found')]);
  });

  it('takes a UUID in either case', async () => {
    expect((await app.inject(`/v1/order/${ID.toUpperCase()}`)).json()).toMatchObject({ id: ID });
  });
});

describe('an answer', () => {
  it('leaves out null fields', async () => {
    expect((await app.inject(`/v1/order/${ID}`)).json()).toEqual({ id: ID, nested: { all: [{ zero: 0 }] } });
  });

  it('forbids caching and content sniffing', async () => {
    for (const url of [`/v1/order/${ID}`, '/nothing', '/v1/fail/unexpected']) {
      const { headers } = await app.inject(url);
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
      expect(headers).not.toHaveProperty('x-powered-by');
    }
  });

  it('carries the request id of the caller, or a new one', async () => {
    const asked = (id: string) => app.inject({ url: '/v1/open', headers: { 'x-request-id': id } });
    expect((await asked('abc-1.2_3')).headers['x-request-id']).toBe('abc-1.2_3');
    expect((await asked('a b')).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect((await asked('x'.repeat(65))).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('an error', () => {
  const lineOf = (requestId: string) => log.lines.filter(({ fields }) => fields?.requestId === requestId);

  it.each([
    ['domain', 404, envelope('session_not_found', 'The session does not exist.')],
    ['payload', 403, envelope('wrong_pin', 'The PIN is wrong.', { attemptsLeft: 1 })],
    ['unlisted', 500, envelope('internal_error')],
    ['unavailable', 503, envelope('service_unavailable')],
    ['limited', 429, envelope('rate_limited')],
    ['unexpected', 500, envelope('internal_error')],
  ])('%s becomes %d and an envelope', async (how, status, body) => {
    const answer = await app.inject(`/v1/fail/${how}`);
    expect([answer.statusCode, answer.json()]).toEqual([status, body]);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('says when to retry', async () => {
    expect((await app.inject('/v1/fail/unavailable')).headers).toMatchObject({ 'retry-after': '2' });
    expect((await app.inject('/v1/fail/limited')).headers).toMatchObject({
      'retry-after': '13',
      'ratelimit-limit': '5',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '13',
    });
  });

  it('is logged with its private reason, and with the route instead of the path', async () => {
    await app.inject({ url: '/v1/fail/domain?secret=hunter2', headers: { 'x-request-id': 'domain-1' } });
    expect(lineOf('domain-1')).toEqual([
      {
        message: 'request refused',
        fields: expect.objectContaining({ route: '/v1/fail/:how', status: 404, errorCode: 'session_not_found', reason: 'it belongs to client 7' }),
      },
    ]);
    expect(JSON.stringify(log.lines)).not.toContain('hunter2');
  });

  it('that is unexpected is logged as an error', async () => {
    await app.inject({ url: '/v1/fail/unexpected', headers: { 'x-request-id': 'unexpected-1' } });
    expect(lineOf('unexpected-1')).toEqual([
      { message: 'request failed', fields: expect.objectContaining({ status: 500, errorCode: 'internal_error' }) },
    ]);
  });
});
