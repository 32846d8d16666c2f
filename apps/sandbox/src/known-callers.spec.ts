import fastify from 'fastify';

import { type AllowedCallers, knownCallers, type NotAllowed } from './known-callers.js';

const appFor = (allowed: AllowedCallers) => {
  const app = fastify();
  app.addHook('onRequest', knownCallers(allowed));
  app.setErrorHandler((error: NotAllowed, _request, reply) => reply.code(403).send({ code: error.code, reason: error.reason }));
  app.get('/', () => 'done');
  return app;
};

const byDefault = appFor({ networks: [], hosts: [] });
/** As beside containers, one of which knows this machine as `sandbox`. */
const open = appFor({ networks: ['172.17.0.0/16', 'fd00:1::/64', '10.1.2.3'], hosts: ['Sandbox', 'host.docker.internal:3000', '172.17.0.1'] });
afterAll(() => Promise.all([byDefault.close(), open.close()]));

const asked = async (remoteAddress: string, headers: Record<string, string>, app = byDefault): Promise<unknown> => {
  const response = await app.inject({ url: '/', remoteAddress, headers });
  return response.statusCode === 200 ? 'done' : response.json();
};

describe('the sandbox', () => {
  it.each([
    ['127.0.0.1', 'localhost'],
    ['127.0.0.1', 'localhost:3000'],
    ['127.8.9.1', 'LOCALHOST:3000'],
    ['::1', '[::1]:3000'],
    ['::ffff:127.0.0.1', '127.0.0.1:3000'],
  ])('answers %s that asks %s', async (address, host) => {
    expect(await asked(address, { host })).toBe('done');
  });

  it.each(['10.0.0.1', '192.168.1.7', '8.8.8.8', '::ffff:10.0.0.1', 'fe80::1', '2001:db8::1'])('refuses another machine: %s', async (address) => {
    expect(await asked(address, { host: 'localhost' })).toEqual({ code: 'not_allowed', reason: 'sent from another machine' });
  });

  it.each([
    'rebound.example',
    'rebound.example:3000',
    'localhost.rebound.example',
    'localhost:3000.rebound.example',
    '127.0.0.1.nip.example',
    '10.0.0.1',
    '[::2]',
    'localhost@x',
  ])('refuses a web page whose name was made to point here (DNS rebinding): %s', async (host) => {
    expect(await asked('127.0.0.1', { host })).toEqual({ code: 'not_allowed', reason: 'addressed by another name' });
  });

  it.each(['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP', 'Via'])(
    'refuses requests that a proxy on this machine forwards: %s',
    async (name) => {
      expect(await asked('127.0.0.1', { host: 'localhost', [name]: 'x' })).toEqual({ code: 'not_allowed', reason: 'forwarded by a proxy' });
    },
  );

  it.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:5173' },
    { origin: 'not an origin' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('refuses a page of another site: %j', async (headers) => {
    expect(await asked('127.0.0.1', { host: 'localhost:3000', ...(headers as Record<string, string>) })).toEqual({
      code: 'not_allowed',
      reason: 'sent by a page of another site',
    });
  });

  it.each([{ origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }])(
    'answers a page of its own, and an address that was typed: %j',
    async (headers) => {
      expect(await asked('127.0.0.1', { host: 'localhost:3000', ...(headers as Record<string, string>) })).toBe('done');
    },
  );
});

describe('the sandbox beside containers', () => {
  it.each([
    ['172.17.0.5', 'sandbox:3000'],
    ['172.17.255.255', 'SANDBOX'],
    ['::ffff:172.17.0.5', 'sandbox'],
    ['::FFFF:AC11:5', 'sandbox'],
    ['fd00:1::7', 'host.docker.internal:3000'],
    ['10.1.2.3', '172.17.0.1:3000'],
    ['172.17.0.5', 'localhost:3000'],
    ['127.0.0.1', 'sandbox:3000'],
    ['127.0.0.1', 'localhost'],
  ])('answers %s that asks %s', async (address, host) => {
    expect(await asked(address, { host }, open)).toBe('done');
  });

  it.each(['172.18.0.1', '172.16.255.255', '::ffff:172.18.0.1', 'fd00:2::7', '10.1.2.4', '8.8.8.8', '2001:db8::1', 'fe80::1%eth0'])(
    'refuses an address of no such network: %s',
    async (address) => {
      expect(await asked(address, { host: 'sandbox' }, open)).toEqual({ code: 'not_allowed', reason: 'sent from another machine' });
    },
  );

  it.each([
    'rebound.example',
    'sandbox.rebound.example',
    'sandbox.',
    'sandbox@rebound.example',
    'host.docker.internal',
    'host.docker.internal:3001',
    '172.17.0.2',
    'xsandbox',
  ])('refuses a name that the settings do not list, from wherever: %s', async (host) => {
    for (const address of ['127.0.0.1', '172.17.0.5'])
      expect(await asked(address, { host }, open)).toEqual({ code: 'not_allowed', reason: 'addressed by another name' });
  });

  it.each(['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP', 'Via'])(
    'refuses what a proxy forwards, also from such a network: %s',
    async (name) => {
      for (const address of ['127.0.0.1', '172.17.0.5'])
        expect(await asked(address, { host: 'sandbox', [name]: '172.17.0.5' }, open)).toEqual({
          code: 'not_allowed',
          reason: 'forwarded by a proxy',
        });
    },
  );

  it('refuses a page of another site, also one of such a network', async () => {
    for (const origin of ['http://172.17.0.9', 'http://sandbox:8080', 'null'])
      expect(await asked('172.17.0.5', { host: 'sandbox:3000', origin }, open)).toEqual({
        code: 'not_allowed',
        reason: 'sent by a page of another site',
      });
    expect(await asked('172.17.0.5', { host: 'sandbox:3000', origin: 'http://sandbox:3000' }, open)).toBe('done');
  });
});
