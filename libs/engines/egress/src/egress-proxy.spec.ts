import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, request as requestHttp, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer, request as requestHttps } from 'node:https';
import { type AddressInfo, createServer, type LookupFunction, type Socket } from 'node:net';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { ConnectProxy, type ProxyOptions } from '#testkit/egress/connect-proxy';
import { TestCa } from '#testkit/engine-access/test-ca';

import { EgressProxy, type EgressRules } from './egress-proxy.js';

const disposables: AsyncDisposable[] = [];
const opened: { destroy(): void }[] = [];
let ca: TestCa;
let caPem: string;
let tls: { readonly cert: string; readonly key: string };
let told: (string | undefined)[] = [];

beforeAll(async () => {
  ca = await TestCa.make();
  caPem = readFileSync(ca.file, 'utf8');
  const { certFile, keyFile } = await ca.issue('hooks', { names: ['hooks.example.com'] });
  tls = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
});
afterAll(() => ca[Symbol.asyncDispose]());
afterEach(async () => {
  for (const each of opened.splice(0)) each.destroy();
  for (const each of disposables.splice(0)) await each[Symbol.asyncDispose]();
  told = [];
});

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  disposables.push({
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
  return (server.address() as AddressInfo).port;
};

const answering: RequestListener = (request, response) => response.writeHead(200).end(`${request.headers.host} ${request.url}`);

const proxyWith = async (options: ProxyOptions = {}): Promise<ConnectProxy> => {
  const proxy = await ConnectProxy.start(options);
  disposables.push(proxy);
  return proxy;
};

/** All names lead to these addresses. */
const leadingTo =
  (...addresses: string[]): LookupFunction =>
  (_, __, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

const agentsBy = (proxy: string, settings: Partial<EgressRules> = {}, lookup: LookupFunction = leadingTo('203.0.113.7')) => {
  const egress = new EgressProxy({ proxy, resolves: false, direct: [], observe: (failure) => told.push(failure), ...settings });
  const agents = egress.agents({ lookup, timeout: 400, agent: { keepAlive: true } });
  opened.push(...Object.values(agents));
  return agents;
};

const get = (agents: ReturnType<EgressProxy['agents']>, url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const secure = url.startsWith('https:');
    const asking = secure ? requestHttps(url, { agent: agents['https:'], ca: caPem }) : requestHttp(url, { agent: agents['http:'] });
    asking.on('error', (error: NodeJS.ErrnoException) => reject(new Error(`${error.code}: ${error.message}`)));
    asking.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve(`${answer.statusCode} ${text}`));
    });
    asking.end();
  });

describe('a call by the egress proxy', () => {
  it('goes by CONNECT to the address that was looked up, with TLS to the name inside', async () => {
    const port = await listen(createHttpsServer(tls, answering));
    const proxy = await proxyWith({ reach: () => ({ host: '127.0.0.1', port }) });
    expect(await get(agentsBy(proxy.url), 'https://hooks.example.com/a?b=c')).toBe('200 hooks.example.com /a?b=c');
    expect([proxy.asked, proxy.others]).toEqual([['203.0.113.7:443'], 0]);
  });

  it('fails when the certificate inside is for another name', async () => {
    const port = await listen(createHttpsServer(tls, answering));
    const proxy = await proxyWith({ reach: () => ({ host: '127.0.0.1', port }) });
    await expect(get(agentsBy(proxy.url), 'https://other.example.com/')).rejects.toThrow('ERR_TLS_CERT_ALTNAME_INVALID');
  });

  it('goes by CONNECT over http too, and uses a connection again', async () => {
    const port = await listen(createHttpServer(answering));
    const proxy = await proxyWith({ reach: () => ({ host: '127.0.0.1', port }) });
    const agents = agentsBy(proxy.url);
    expect(await get(agents, 'http://hooks.example.com:8080/1')).toBe('200 hooks.example.com:8080 /1');
    expect(await get(agents, 'http://hooks.example.com:8080/2')).toBe('200 hooks.example.com:8080 /2');
    expect([proxy.asked, proxy.others]).toEqual([['203.0.113.7:8080'], 0]);
  });

  it('logs in, and speaks TLS with a proxy that wants it', async () => {
    const port = await listen(createHttpServer(answering));
    const { certFile, keyFile } = await ca.issue('proxy');
    const own = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
    const proxy = await proxyWith({ reach: () => ({ host: '127.0.0.1', port }), login: 'service:p:ä', tls: own });
    expect(await get(agentsBy(proxy.url, { login: () => 'service:p:ä', ca: () => caPem }), 'http://hooks.example.com/')).toContain('200');
    await expect(get(agentsBy(proxy.url, { login: () => 'service:p:ä' }), 'http://hooks.example.com/')).rejects.toThrow('ERR_EGRESS_PROXY');
  });

  it('asks for the next address when the proxy does not reach one', async () => {
    const port = await listen(createHttpServer(answering));
    const reach = (target: string) => ({ host: '127.0.0.1', port: target.startsWith('[2001:db8::7]') ? 1 : port });
    const proxy = await proxyWith({ reach });
    const agents = agentsBy(proxy.url, {}, leadingTo('2001:db8::7', '203.0.113.7'));
    expect(await get(agents, 'http://hooks.example.com/')).toContain('200');
    expect(proxy.asked).toEqual(['[2001:db8::7]:80', '203.0.113.7:80']);
    expect(told).toEqual([]);
  });

  it('hands a name to a proxy that resolves, and asks no name server', async () => {
    const port = await listen(createHttpServer(answering));
    const proxy = await proxyWith({ reach: () => ({ host: '127.0.0.1', port }) });
    const never: LookupFunction = (_, __, done) => done(new Error('asked'), []);
    expect(await get(agentsBy(proxy.url, { resolves: true }, never), 'http://hooks.example.com/')).toContain('200');
    expect(proxy.asked).toEqual(['hooks.example.com:80']);
  });

  it.each([
    ['an address of a network', ['127.0.0.0/8'], false],
    ['an address', ['127.0.0.1'], false],
    ['a name', ['hooks.example.com'], false],
    ['a name, where the proxy resolves', ['Hooks.Example.com'], true],
  ])('does without the proxy for %s that is direct', async (_, direct, resolves) => {
    const port = await listen(createHttpServer(answering));
    const proxy = await proxyWith();
    expect(await get(agentsBy(proxy.url, { direct, resolves }, leadingTo('127.0.0.1')), `http://hooks.example.com:${port}/`)).toContain('200');
    expect(proxy.asked).toEqual([]);
  });

  it('goes nowhere when the check of addresses refuses', async () => {
    const proxy = await proxyWith();
    const refusing: LookupFunction = (_, __, done) => done(Object.assign(new Error('refused'), { code: 'ERR_UNREACHABLE_ADDRESS' }), []);
    for (const url of ['http://hooks.example.com/', 'https://hooks.example.com/'])
      await expect(get(agentsBy(proxy.url, {}, refusing), url)).rejects.toThrow('ERR_UNREACHABLE_ADDRESS');
    expect(proxy.asked).toEqual([]);
  });
});

describe('a proxy that fails', () => {
  it.each([
    [407, 'the egress proxy refuses the connection with 407: it wants a login: correct EGRESS_PROXY_LOGIN_FILE'],
    [403, 'the egress proxy refuses the connection with 403: allow the service its targets there'],
    [302, 'the egress proxy refuses the connection with 302'],
    [500, 'the egress proxy refuses the connection with 500'],
    ['BREAKS', 'the egress proxy cannot be reached (ECONNRESET)'],
  ] as const)('is an error in words, and never an answer of the target: %s', async (answer, message) => {
    const proxy = await proxyWith();
    proxy.answer = answer;
    for (const url of ['http://hooks.example.com/', 'https://hooks.example.com/'])
      await expect(get(agentsBy(proxy.url), url)).rejects.toThrow(`ERR_EGRESS_PROXY: ${message}`);
  });

  it('is an error in words when it is down', async () => {
    await expect(get(agentsBy('http://127.0.0.1:1'), 'https://hooks.example.com/')).rejects.toThrow(
      'ERR_EGRESS_PROXY: the egress proxy cannot be reached (ECONNREFUSED)',
    );
  });

  it.each([502, 503, 504])('does not reach the target, by its answer %s: that is not its own failure', async (answer) => {
    const proxy = await proxyWith();
    proxy.answer = answer;
    await expect(get(agentsBy(proxy.url), 'https://hooks.example.com/')).rejects.toThrow('ERR_TARGET_UNREACHED');
    expect(told).toEqual([]);
  });

  it('ends the call in time when it hangs, and keeps no connection', async () => {
    const proxy = await proxyWith();
    proxy.answer = 'HANGS';
    await expect(get(agentsBy(proxy.url), 'https://hooks.example.com/')).rejects.toThrow('ETIMEDOUT: no connection within 400 ms');
    await proxy.idle();
  });

  it('ends the call in time when the target hangs in TLS', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const proxy = await proxyWith({ reach: () => ({ host: '127.0.0.1', port }) });
    await expect(get(agentsBy(proxy.url), 'https://hooks.example.com/')).rejects.toThrow('ETIMEDOUT');
    await proxy.idle();
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  it('is told once, and once more when it works again', async () => {
    const port = await listen(createHttpServer(answering));
    const proxy = await proxyWith({ reach: () => ({ host: '127.0.0.1', port }) });
    const agents = agentsBy(proxy.url);
    proxy.answer = 407;
    for (let time = 0; time < 3; time++) await expect(get(agents, 'http://hooks.example.com/')).rejects.toThrow('407');
    proxy.answer = undefined;
    for (let time = 0; time < 3; time++) expect(await get(agents, 'http://hooks.example.com/')).toContain('200');
    expect(told).toEqual([expect.stringContaining('407'), undefined]);
  });
});
