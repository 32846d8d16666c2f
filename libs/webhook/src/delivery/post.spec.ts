import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

import { afterEach, describe, expect, it } from '@jest/globals';

import { ReachableNetworks } from '../domain/reachable-networks.js';
import { GuardedPost, type PostOptions } from './post.js';

const loopback = new ReachableNetworks(['127.0.0.0/8']);
const publicOnly = new ReachableNetworks([]);
const opened: { close(): unknown }[] = [];

afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

const listen = async (server: Server): Promise<number> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push({ close: () => { sockets.forEach((socket) => socket.destroy()); server.close(); } });
  return (server.address() as AddressInfo).port;
};
const receiver = (listener: RequestListener) => listen(createHttpServer(listener));
const post = (options: Partial<PostOptions> = {}) => {
  const made = new GuardedPost({ networks: loopback, connectTimeout: 300, timeout: 600, ...options });
  opened.push(made);
  return (url: string) => made.send({ url, headers: { 'webhook-id': 'msg_1' }, body: '{"ä":1}' });
};

describe('a post', () => {
  it('arrives with its headers and its body', async () => {
    let received = '';
    const port = await receiver((request, response) => {
      request.setEncoding('utf8').on('data', (chunk: string) => (received += `${request.headers['webhook-id'] as string} ${chunk}`));
      request.on('end', () => response.writeHead(204).end());
    });
    expect(await post()(`http://127.0.0.1:${port}/hooks`)).toEqual({ status: 204 });
    expect(received).toBe('msg_1 {"ä":1}');
  });

  it.each([[302, { location: 'http://169.254.169.254/' }], [410, {}], [500, {}], [429, { 'retry-after': '3600' }]] as const)(
    'answered %d is told so, and no redirect is followed',
    async (status, headers) => {
      let requests = 0;
      const port = await receiver((_, response) => {
        requests++;
        response.writeHead(status, headers).end('nobody reads this');
      });
      expect(await post()(`http://127.0.0.1:${port}/`)).toEqual({ status, ...('retry-after' in headers && { retryAfter: '3600' }) });
      expect(requests).toBe(1);
    },
  );

  it('stops reading a body that goes on and on', async () => {
    let sent = 0;
    const port = await receiver((_, response) => {
      response.writeHead(200);
      const more = () => {
        while (sent < 100_000_000 && response.write(Buffer.alloc(65_536))) sent += 65_536;
      };
      response.on('drain', more);
      more();
    });
    expect(await post({ timeout: 5000 })(`http://127.0.0.1:${port}/`)).toEqual({ status: 200 });
    expect(sent).toBeLessThan(50_000_000);
  });

  it.each<[string, (socket: Socket) => void]>([
    ['never ends its body', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nx')],
    ['breaks off in its body', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nx', () => socket.destroy())],
  ])('to a receiver that %s has its status all the same', async (_, behave) => {
    const port = await listen(createServer((socket) => { socket.on('error', () => undefined); socket.once('data', () => behave(socket)); }));
    expect(await post()(`http://127.0.0.1:${port}/`)).toEqual({ status: 200 });
  });

  it.each<[string, (socket: Socket) => void, string]>([
    ['hangs', () => undefined, 'timeout'],
    ['trickles', (socket) => socket.write('HTTP/1.1 200 OK\r\nX: '), 'timeout'],
    ['resets', (socket) => socket.resetAndDestroy(), 'connection_failed'],
    ['speaks nonsense', (socket) => socket.write('nonsense\r\n\r\n'), 'bad_answer'],
    ['sends endless headers', (socket) => socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`), 'bad_answer'],
  ])('to a receiver that %s ends', async (_, behave, error) => {
    const port = await listen(createServer((socket) => { socket.on('error', () => undefined); behave(socket); }));
    expect(await post()(`http://127.0.0.1:${port}/`)).toEqual({ error });
  });

  it('over a connection that the receiver has just closed goes over a new one; a new one that is closed is a failure', async () => {
    const requests: number[] = [];
    const port = await listen(createServer((socket) => {
      const before = requests.push(0);
      socket.on('error', () => undefined).on('data', () => {
        requests[before - 1]!++;
        if (requests.length === 3 || requests[before - 1] === 2) return void socket.resetAndDestroy();
        socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      });
    }));
    const send = post();
    const met = [await send(`http://127.0.0.1:${port}/`), await send(`http://127.0.0.1:${port}/`), await send(`http://127.0.0.1:${port}/`)];
    expect(met).toEqual([{ status: 204 }, { status: 204 }, { error: 'connection_failed' }]);
    expect(requests).toEqual([2, 2, 1]);
  });

  it('to a port where nobody listens ends', async () => {
    expect(await post()('http://127.0.0.1:1/')).toEqual({ error: 'connection_failed' });
  });
});

describe('no byte goes', () => {
  const touched = async (attempt: (port: number) => Promise<unknown>): Promise<[unknown, number]> => {
    let connections = 0;
    const port = await listen(createServer(() => connections++));
    return [await attempt(port), connections];
  };

  it('to a literal that must not be reached', async () => {
    const [outcome, connections] = await touched((port) => post({ networks: publicOnly })(`http://127.0.0.1:${port}/`));
    expect([outcome, connections]).toEqual([{ error: 'unreachable_address' }, 0]);
  });

  it('to a name that leads inside, or also inside', async () => {
    for (const inside of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], []]) {
      const resolve = async () => inside.map((address) => ({ address, family: 4 }));
      const [outcome, connections] = await touched((port) => post({ networks: publicOnly, resolve })(`http://hooks.example.com:${port}/`));
      expect([outcome, connections]).toEqual([{ error: 'unreachable_address' }, 0]);
    }
  });

  it('to a name that leads inside the second time', async () => {
    let asked = 0;
    const resolve = async () => [{ address: asked++ === 0 ? '203.0.114.1' : '127.0.0.1', family: 4 }];
    const send = post({ networks: publicOnly, resolve });
    const [, connections] = await touched(async (port) => {
      await send(`http://hooks.example.com:${port}/`);
      return send(`http://hooks.example.com:${port}/`);
    });
    expect([asked, connections]).toEqual([2, 0]);
  });
});
