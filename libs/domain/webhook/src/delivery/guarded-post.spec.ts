import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

import { afterEach, describe, expect, it } from '@jest/globals';

import { EgressProxy } from '#engines/egress';
import { ConnectProxy } from '#testkit/egress/connect-proxy';

import { ReachableNetworks } from '../domain/reachable-networks.js';
import { GuardedPost, type PostOptions } from './guarded-post.js';

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
  opened.push({
    close: () => {
      sockets.forEach((socket) => socket.destroy());
      server.close();
    },
  });
  return (server.address() as AddressInfo).port;
};
const receiver = (listener: RequestListener) => listen(createHttpServer(listener));
/** For a receiver that keeps the post waiting; all others have a minute, also on a busy machine. Milliseconds. */
const QUICK = { connectTimeout: 300, timeout: 600 } as const;
const MINUTE = 60_000;
const post = (options: Partial<PostOptions> = {}) => {
  const made = new GuardedPost({ networks: loopback, connectTimeout: MINUTE, timeout: MINUTE, ...options });
  opened.push(made);
  return (url: string) => made.send({ url, headers: { 'webhook-id': 'msg_1' }, body: '{"ä":1}' });
};

describe('a post', () => {
  it('sends its headers and its body', async () => {
    let received = '';
    const port = await receiver((request, response) => {
      request.setEncoding('utf8').on('data', (chunk: string) => (received += `${request.headers['webhook-id'] as string} ${chunk}`));
      request.on('end', () => response.writeHead(204).end());
    });
    expect(await post()(`http://127.0.0.1:${port}/hooks`)).toEqual({ status: 204 });
    expect(received).toBe('msg_1 {"ä":1}');
  });

  it.each([
    [302, { location: 'http://169.254.169.254/' }],
    [410, {}],
    [500, {}],
    [429, { 'retry-after': '3600' }],
  ] as const)('answers the status %d, and follows no redirect', async (status, headers) => {
    let requests = 0;
    const port = await receiver((_, response) => {
      requests++;
      response.writeHead(status, headers).end('not read');
    });
    expect(await post()(`http://127.0.0.1:${port}/`)).toEqual({ status, ...('retry-after' in headers && { retryAfter: '3600' }) });
    expect(requests).toBe(1);
  });

  it('stops reading a body that does not end', async () => {
    let sent = 0;
    const port = await receiver((_, response) => {
      response.writeHead(200);
      const more = () => {
        while (sent < 100_000_000 && response.write(Buffer.alloc(65_536))) sent += 65_536;
      };
      response.on('drain', more);
      more();
    });
    expect(await post()(`http://127.0.0.1:${port}/`)).toEqual({ status: 200 });
    expect(sent).toBeLessThan(50_000_000);
  });

  it.each<[string, (socket: Socket) => void]>([
    ['never ends its body', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nx')],
    ['breaks off in its body', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nx', () => socket.destroy())],
  ])('answers the status of a receiver that %s', async (_, behave) => {
    const port = await listen(
      createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => behave(socket));
      }),
    );
    expect(await post(QUICK)(`http://127.0.0.1:${port}/`)).toEqual({ status: 200 });
  });

  it.each<[string, (socket: Socket) => void, string]>([
    ['hangs', () => undefined, 'timeout'],
    ['trickles', (socket) => socket.write('HTTP/1.1 200 OK\r\nX: '), 'timeout'],
    ['resets', (socket) => socket.resetAndDestroy(), 'connection_failed'],
    ['speaks nonsense', (socket) => socket.write('nonsense\r\n\r\n'), 'bad_answer'],
    ['sends endless headers', (socket) => socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`), 'bad_answer'],
  ])('to a receiver that %s fails', async (_, behave, error) => {
    const port = await listen(
      createServer((socket) => {
        socket.on('error', () => undefined);
        behave(socket);
      }),
    );
    expect(await post(error === 'timeout' ? QUICK : {})(`http://127.0.0.1:${port}/`)).toEqual({ error });
  });

  it('is sent again over a new connection when the receiver closes a reused one, and fails when it closes a new one', async () => {
    const requests: number[] = [];
    const port = await listen(
      createServer((socket) => {
        const before = requests.push(0);
        socket
          .on('error', () => undefined)
          .on('data', () => {
            requests[before - 1]!++;
            if (requests.length === 3 || requests[before - 1] === 2) return void socket.resetAndDestroy();
            socket.write('HTTP/1.1 204 No Content\r\n\r\n');
          });
      }),
    );
    const send = post();
    const outcomes = [await send(`http://127.0.0.1:${port}/`), await send(`http://127.0.0.1:${port}/`), await send(`http://127.0.0.1:${port}/`)];
    expect(outcomes).toEqual([{ status: 204 }, { status: 204 }, { error: 'connection_failed' }]);
    expect(requests).toEqual([2, 2, 1]);
  });

  it('to a closed port fails', async () => {
    expect(await post()('http://127.0.0.1:1/')).toEqual({ error: 'connection_failed' });
  });
});

describe('no connection is made', () => {
  const counted = async (attempt: (port: number) => Promise<unknown>): Promise<[unknown, number]> => {
    let connections = 0;
    const port = await listen(createServer(() => connections++));
    return [await attempt(port), connections];
  };

  it('to an IP literal that must not be reached', async () => {
    const [outcome, connections] = await counted((port) => post({ networks: publicOnly })(`http://127.0.0.1:${port}/`));
    expect([outcome, connections]).toEqual([{ error: 'unreachable_address' }, 0]);
  });

  it('to a name of which an address is internal', async () => {
    for (const internal of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], []]) {
      const resolve = async () => internal.map((address) => ({ address, family: 4 }));
      const [outcome, connections] = await counted((port) => post({ networks: publicOnly, resolve })(`http://hooks.example.com:${port}/`));
      expect([outcome, connections]).toEqual([{ error: 'unreachable_address' }, 0]);
    }
  });

  it('to a name that resolves to an internal address the second time', async () => {
    let lookups = 0;
    const resolve = async () => [{ address: lookups++ === 0 ? '203.0.114.1' : '127.0.0.1', family: 4 }];
    const send = post({ networks: publicOnly, resolve });
    const [, connections] = await counted(async (port) => {
      await send(`http://hooks.example.com:${port}/`);
      return send(`http://hooks.example.com:${port}/`);
    });
    expect([lookups, connections]).toEqual([2, 0]);
  });
});

describe('a post by the egress proxy', () => {
  const byProxy = async (options: Partial<PostOptions> = {}, { resolves = false, reach = 0 } = {}) => {
    const proxy = await ConnectProxy.start({ reach: () => ({ host: '127.0.0.1', port: reach }) });
    opened.push({ close: () => proxy[Symbol.asyncDispose]() });
    const egress = new EgressProxy({ proxy: proxy.url, resolves, direct: [] });
    return { proxy, send: post({ networks: publicOnly, egress, ...options }) };
  };
  const leadingTo =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

  it('goes to the address that was checked', async () => {
    const reach = await receiver((_, response) => response.writeHead(204).end());
    const { proxy, send } = await byProxy({ resolve: leadingTo('203.0.114.1') }, { reach });
    expect(await send('http://hooks.example.com:8080/')).toEqual({ status: 204 });
    expect(proxy.asked).toEqual(['203.0.114.1:8080']);
  });

  it.each([
    ['a private literal', 'http://10.0.0.1/', []],
    ['a private literal of IPv6', 'http://[fd00::1]/', []],
    ['a name that leads to a private address', 'https://hooks.example.com/', ['10.0.0.1']],
    ['a name of which one address is private', 'https://hooks.example.com/', ['203.0.114.1', '::ffff:10.0.0.1']],
    ['a name without address', 'https://hooks.example.com/', []],
  ])('does not ask the proxy for %s', async (_, url, addresses) => {
    const { proxy, send } = await byProxy({ resolve: leadingTo(...addresses) });
    expect(await send(url)).toEqual({ error: 'unreachable_address' });
    expect(proxy.asked).toEqual([]);
  });

  it('looks up and checks a name at each connection, and the proxy never sees it', async () => {
    const answers = ['203.0.114.1', '10.0.0.1'];
    const reach = await receiver((_, response) => response.writeHead(204, { connection: 'close' }).end());
    const { proxy, send } = await byProxy({ resolve: () => leadingTo(answers.shift() ?? '')() }, { reach });
    expect([await send('http://hooks.example.com/'), await send('http://hooks.example.com/')]).toEqual([
      { status: 204 },
      { error: 'unreachable_address' },
    ]);
    expect(proxy.asked).toEqual(['203.0.114.1:80']);
  });

  it('does not follow a redirect', async () => {
    const reach = await receiver((_, response) => response.writeHead(307, { location: 'http://10.0.0.1/' }).end());
    const { proxy, send } = await byProxy({ resolve: leadingTo('203.0.114.1') }, { reach });
    expect(await send('http://hooks.example.com/')).toEqual({ status: 307 });
    expect(proxy.asked).toHaveLength(1);
  });

  it('hands names to a proxy that resolves, and still refuses private literals and names', async () => {
    const reach = await receiver((_, response) => response.writeHead(204).end());
    const { proxy, send } = await byProxy({}, { resolves: true, reach });
    expect(await send('http://hooks.example.com/')).toEqual({ status: 204 });
    for (const host of ['10.0.0.1', '[::1]', 'localhost', 'db', 'metadata.google.internal', 'printer.local', 'router.home.arpa'])
      expect(await send(`http://${host}/`)).toEqual({ error: 'unreachable_address' });
    expect(proxy.asked).toEqual(['hooks.example.com:80']);
  });

  it.each([
    [407, 'proxy_failed'],
    [403, 'proxy_failed'],
    ['BREAKS', 'proxy_failed'],
    [502, 'connection_failed'],
    ['HANGS', 'timeout'],
  ] as const)('says what failed when the proxy answers %s: %s', async (answer, error) => {
    const { proxy, send } = await byProxy({ resolve: leadingTo('203.0.114.1'), ...(error === 'timeout' && QUICK) });
    proxy.answer = answer;
    for (const scheme of ['http', 'https']) expect(await send(`${scheme}://hooks.example.com/`)).toEqual({ error });
  });

  it('fails while the proxy is down, and works when it is back', async () => {
    const gone = new EgressProxy({ proxy: 'http://127.0.0.1:1', resolves: false, direct: [] });
    const down = post({ networks: publicOnly, resolve: leadingTo('203.0.114.1'), egress: gone });
    expect(await down('https://hooks.example.com/')).toEqual({ error: 'proxy_failed' });
    const reach = await receiver((_, response) => response.writeHead(204).end());
    const { proxy, send } = await byProxy({ resolve: leadingTo('203.0.114.1') }, { reach });
    proxy.answer = 'BREAKS';
    expect(await send('http://hooks.example.com/')).toEqual({ error: 'proxy_failed' });
    proxy.answer = undefined;
    expect(await send('http://hooks.example.com/')).toEqual({ status: 204 });
  });
});
