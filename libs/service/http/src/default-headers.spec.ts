import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, it } from '@jest/globals';

import { responsesWith } from './default-headers.js';

const DEFAULTS = { 'x-policy': 'none', 'x-sniff': 'no' };

describe('the headers of every answer', () => {
  const servers: ReturnType<typeof createServer>[] = [];
  afterEach(() => servers.splice(0).forEach((server) => server.close()));

  /** The names and values of the headers in the answer as it was sent, without those of Node. */
  const sent = async (answer: RequestListener): Promise<string[]> => {
    const server = createServer({ ServerResponse: responsesWith(DEFAULTS) }, answer);
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { headers: { connection: 'close' } });
    return [...headers].map(([name, value]) => `${name}: ${value}`).filter((line) => line.startsWith('x-'));
  };

  it.each<[string, RequestListener]>([
    ['without a head', (_, response) => response.end('x')],
    ['with a status alone', (_, response) => response.writeHead(404).end()],
    ['with a head as Fastify writes it', (_, response) => response.writeHead(200, { 'x-more': '1' }).end('x')],
    ['with a head in another case', (_, response) => response.writeHead(200, { 'X-More': '1' }).end('x')],
    ['with a list of headers', (_, response) => response.writeHead(200, ['x-more', '1']).end('x')],
    ['with a reason', (_, response) => response.writeHead(200, 'Fine', { 'x-more': '1' }).end('x')],
    ['after a header was set', (_, response) => response.setHeader('x-more', '1').writeHead(200, { 'x-even-more': '1' }).end('x')],
  ])('are in an answer %s', async (_, answer) => {
    expect(await sent(answer)).toEqual(expect.arrayContaining(['x-policy: none', 'x-sniff: no']));
  });

  it.each<[string, RequestListener]>([
    ['set before', (_, response) => response.setHeader('X-Policy', 'own').end('x')],
    ['in the head', (_, response) => response.writeHead(200, { 'x-policy': 'own' }).end('x')],
    ['in the head, in another case', (_, response) => response.writeHead(200, { 'X-Policy': 'own' }).end('x')],
    ['in a head beside others', (_, response) => response.setHeader('x-sniff', 'no').writeHead(200, { 'x-policy': 'own' }).end('x')],
    ['in a list', (_, response) => response.writeHead(200, ['x-policy', 'own']).end('x')],
  ])('give way, once, to one that the application has %s', async (_, answer) => {
    expect(await sent(answer)).toEqual(['x-policy: own', 'x-sniff: no']);
  });

  it('leave the headers of the application as they are', async () => {
    const own = Object.freeze({ 'x-more': '1' });
    expect(await sent((_, response) => response.writeHead(200, own).end('x'))).toEqual(['x-more: 1', 'x-policy: none', 'x-sniff: no']);
    expect(own).toEqual({ 'x-more': '1' });
  });
});
