import fastify from 'fastify';

import { loopbackOnly, type NotAllowed } from './loopback-only.js';

const app = fastify();
app.addHook('onRequest', loopbackOnly);
app.setErrorHandler((error: NotAllowed, _request, reply) => reply.code(403).send({ code: error.code, reason: error.reason }));
app.get('/', () => 'done');
afterAll(() => app.close());

const asked = async (remoteAddress: string, headers: Record<string, string>): Promise<unknown> => {
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
});
