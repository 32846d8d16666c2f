import { connect } from 'node:net';

import { describe, expect, it } from '@jest/globals';

import { basic, bytesOf, expectOk, newCast, RelyingParty, secret, Staff, startsProcesses, UNKNOWN_SESSION, word } from '../support/index.js';

const V1 = '/relying-party/v1';

const { service, shop, phone } = await newCast();

const ENDPOINTS: [string, string, string][] = [
  ['POST session', 'POST', `${V1}/session`],
  ['GET status', 'GET', `${V1}/session/${UNKNOWN_SESSION}/status`],
  ['POST completion', 'POST', `${V1}/session/${UNKNOWN_SESSION}/completion`],
  ['POST token', 'POST', `${V1}/session/token`],
  ['GET result', 'GET', `${V1}/session/${UNKNOWN_SESSION}/result`],
  ['POST create-signing-request', 'POST', `${V1}/create-signing-request`],
  ['DELETE session', 'DELETE', `${V1}/session/${UNKNOWN_SESSION}`],
];

const CAUSES: [string, () => string | undefined][] = [
  ['no Authorization header', () => undefined],
  ['wrong client_secret', () => basic(shop.clientId, 'wrong')],
  ['client_id not a UUID', () => basic('shop', shop.clientSecret)],
  ['unknown client_id', () => basic(crypto.randomUUID(), shop.clientSecret)],
];

const FORMS: [string, () => string][] = [
  ['an empty header', () => ''],
  ['another scheme', () => `Bearer ${shop.clientSecret}`],
  ['no credential', () => 'Basic'],
  ['no base64', () => 'Basic {}'],
  ['the pair in the clear', () => `Basic ${shop.clientId}:${shop.clientSecret}`],
  ['no colon', () => `Basic ${Buffer.from(shop.clientId).toString('base64')}`],
  ['no client_secret', () => basic(shop.clientId, '')],
  ['no client_id', () => basic('', shop.clientSecret)],
  ['the two in the wrong order', () => basic(shop.clientSecret, shop.clientId)],
  ['a character more', () => basic(shop.clientId, `${shop.clientSecret}x`)],
  ['a character less', () => basic(shop.clientId, shop.clientSecret.slice(0, -1))],
  ['a line feed more', () => basic(shop.clientId, `${shop.clientSecret}\n`)],
  ['a blank more', () => basic(shop.clientId, ` ${shop.clientSecret}`)],
  ['the secret in upper case', () => basic(shop.clientId, shop.clientSecret.toUpperCase())],
  ['a NUL', () => basic(shop.clientId, `${shop.clientSecret}\u0000`)],
  ['bytes that are no UTF-8', () => `Basic ${Buffer.concat([Buffer.from(`${shop.clientId}:`), Buffer.from([0xff, 0xfe])]).toString('base64')}`],
  ['a very long secret', () => basic(shop.clientId, 'x'.repeat(6000))],
];

const call = (method: string, path: string, authorization: string | undefined, headers: Record<string, string> = {}, raw?: string) =>
  service.send({ method, path, headers: { ...(authorization !== undefined && { authorization }), ...headers }, ...(raw !== undefined && { raw }) });

describe('the credential is required on', () => {
  it.each(ENDPOINTS)('%s: each cause of a 401 gets the same answer', async (_, method, path) => {
    const answers = [];
    for (const [, header] of CAUSES) answers.push(await call(method, path, header()));
    expect(answers.map(({ status }) => status)).toEqual(CAUSES.map(() => 401));
    expect(new Set(answers.map(bytesOf)).size).toBe(1);
  });

  it.each([
    ['GET', `${V1}/nothing`],
    ['GET', '/relying-party/'],
    ['PATCH', '/relying-party/v2/session'],
    ['OPTIONS', `${V1}/session`],
    ['HEAD', `${V1}/session`],
    ['GET', '/relying-party//v1/session'],
    // A gateway answers a path that does not decode itself.
    ...(startsProcesses ? [['GET', `${V1}/session/%zz/status`] as [string, string]] : []),
    ['GET', `${V1}/session/..%2f..%2fadmin/status`],
    ['GET', `${V1}/session/${'x'.repeat(300)}/status`],
  ])('every path of the prefix: %s %s', async (method, path) => {
    expect((await call(method, path, undefined)).status).toBe(401);
  });
});

describe('a 401 of Basic authentication', () => {
  it('has WWW-Authenticate: Basic realm="Realm", and a body that is not the envelope', async () => {
    const answer = await call('POST', `${V1}/session`, undefined);
    expect(answer.headers['www-authenticate']).toBe('Basic realm="Realm"');
    expect(answer.text).toBe('');
    expect(answer.headers).not.toHaveProperty('content-type');
  });

  it.each(FORMS)('is the answer to %s', async (_, header) => {
    expect((await call('GET', `${V1}/session/${UNKNOWN_SESSION}/status`, header())).status).toBe(401);
  });

  it("is the answer to another client's secret", async () => {
    const other = await RelyingParty.register(service);
    expect((await call('POST', `${V1}/session`, basic(shop.clientId, other.clientSecret))).status).toBe(401);
  });

  it.each([
    ['broken JSON', '{', 'application/json'],
    ['another type', 'a=b', 'application/x-www-form-urlencoded'],
    ['a large one', 'x'.repeat(300_000), 'application/json'],
  ])('comes before the body is read: %s', async (_, raw, type) => {
    expect((await call('POST', `${V1}/session`, undefined, { 'content-type': type }, raw)).status).toBe(401);
  });

  it('is answered while the body has not even arrived', async () => {
    const url = new URL(service.baseUrls[0]!);
    if (url.protocol === 'https:') return;
    const socket = connect(Number(url.port || 80), url.hostname);
    socket.write(`POST ${V1}/session HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{`);
    const answer = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
    socket.destroy();
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('is the answer to credentials anywhere else: query, body, other headers, cookie', async () => {
    const { clientId, clientSecret } = shop;
    const query = `client_id=${clientId}&client_secret=${encodeURIComponent(clientSecret)}`;
    const answers = [
      await call('GET', `${V1}/session/${UNKNOWN_SESSION}/status?${query}`, undefined),
      await call('POST', `${V1}/session/token`, undefined, {}, JSON.stringify({ client_id: clientId, client_secret: clientSecret })),
      await call('POST', `${V1}/session`, undefined, { 'proxy-authorization': shop.authorization, cookie: `authorization=${shop.authorization}` }),
      await call('POST', `${V1}/session`, undefined, { 'x-client-id': clientId, 'x-client-secret': clientSecret }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });
});

describe('right credentials', () => {
  it('are standard base64 of client_id:client_secret', async () => {
    expectOk(await shop.post());
  });

  it('may name the scheme in any case (RFC 7617)', async () => {
    for (const scheme of ['basic', 'BASIC']) {
      const answer = await service.send({
        method: 'POST',
        path: `${V1}/session`,
        json: shop.sessionBody(),
        headers: { authorization: shop.authorization.replace('Basic', scheme) },
      });
      expectOk(answer);
    }
  });

  it('get a 404 on an unknown path', async () => {
    const answer = await shop.call('GET', `${V1}/nothing`);
    expect([answer.status, answer.json?.['errorCode']]).toEqual([404, 'not_found']);
  });
});

describe('one secret at a time', () => {
  it('the old one stops working the moment the new one is issued', async () => {
    const client = await RelyingParty.register(service);
    const login = await client.login();
    const old = client.authorization;
    const { clientSecret } = await new Staff(service).ask('POST', `/clients/${client.clientId}/secret`);
    client.clientSecret = secret('client secret', clientSecret as string);
    const answers = await Promise.all(
      service.baseUrls.flatMap(() => [0, 1, 2]).map(() => call('GET', `${V1}/session/${login.sessionId}/status`, old)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
    expectOk(await client.status(login));
  });

  it('is 256 bits at least, made by the service', () => {
    expect(shop.clientSecret.length).toBeGreaterThanOrEqual(43);
  });
});

describe('session ownership', () => {
  it("no client ever sees another client's session: 404 on every endpoint, in every status", async () => {
    const other = await RelyingParty.register(service, { name: `Other ${word()}` });
    for (const login of [await shop.login(), await shop.scanned(phone), await shop.confirmed(phone), await shop.completed(phone)]) {
      for (const answer of [await other.status(login), await other.complete(login), await other.result(login), await other.cancel(login)]) {
        expect([answer.status, answer.json?.['errorCode']]).toEqual([404, 'session_not_found']);
      }
    }
  });
});
