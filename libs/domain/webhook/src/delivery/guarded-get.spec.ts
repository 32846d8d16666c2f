import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

import { afterEach, describe, expect, it } from '@jest/globals';

import { EgressProxy } from '#engines/egress';
import { ConnectProxy } from '#testkit/egress/connect-proxy';

import { ReachableNetworks } from '../domain/reachable-networks.js';
import { type GetOptions, GuardedGet } from './guarded-get.js';

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
const host = (listener: RequestListener) => listen(createHttpServer(listener));
/** For a host that keeps the request waiting; all others have a minute, also on a busy machine. Milliseconds. */
const QUICK = { connectTimeout: 300, timeout: 600 } as const;
const MINUTE = 60_000;
const get = (options: Partial<GetOptions> = {}) => {
  const made = new GuardedGet({ networks: loopback, connectTimeout: MINUTE, timeout: MINUTE, ...options });
  opened.push(made);
  return async (url: string) => {
    const outcome = await made.read(url);
    return 'document' in outcome ? outcome.document.toString() : outcome.error;
  };
};

describe('a document', () => {
  it('is read whole, without compression', async () => {
    const port = await host(({ method, headers }, response) => {
      response.write(`${String(method)} ${String(headers['accept-encoding'])} `);
      response.end('{"keys":[]}');
    });
    expect(await get()(`http://127.0.0.1:${port}/jwks`)).toBe('GET identity {"keys":[]}');
  });

  it('may have 64 KiB and no byte more', async () => {
    const port = await host(({ url }, response) => response.end('x'.repeat(Number(url?.slice(1)))));
    expect(await get()(`http://127.0.0.1:${port}/65536`)).toHaveLength(65_536);
    expect(await get()(`http://127.0.0.1:${port}/65537`)).toBe('too_long');
  });

  it('that does not end is not read on', async () => {
    let sent = 0;
    const port = await host((_, response) => {
      const more = () => {
        while (sent < 100_000_000 && response.write(Buffer.alloc(65_536))) sent += 65_536;
      };
      response.on('drain', more);
      more();
    });
    expect(await get()(`http://127.0.0.1:${port}/`)).toBe('too_long');
    expect(sent).toBeLessThan(50_000_000);
  });

  it.each([301, 302, 303, 307, 308, 204, 304, 401, 404, 500])('is none where the host answers %d, and no redirect is followed', async (status) => {
    let requests = 0;
    const port = await host(({ headers }, response) => {
      requests++;
      response
        .writeHead(status, { location: `http://${String(headers.host)}/other` })
        .end(status === 204 || status === 304 ? undefined : '{"keys":[]}');
    });
    expect(await get()(`http://127.0.0.1:${port}/`)).toBe('refused');
    expect(requests).toBe(1);
  });

  it.each<[string, (socket: Socket) => void, string]>([
    ['hangs', () => undefined, 'timeout'],
    ['trickles its headers', (socket) => socket.write('HTTP/1.1 200 OK\r\nX: '), 'timeout'],
    ['never ends its body', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{'), 'broken_off'],
    ['breaks off in its body', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{', () => socket.destroy()), 'broken_off'],
    ['resets', (socket) => socket.resetAndDestroy(), 'connection_failed'],
    ['speaks nonsense', (socket) => socket.write('nonsense\r\n\r\n'), 'bad_answer'],
    ['sends endless headers', (socket) => socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`), 'bad_answer'],
  ])('is none where the host %s', async (what, behave, error) => {
    const port = await listen(
      createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => behave(socket));
      }),
    );
    const waits = ['hangs', 'trickles its headers', 'never ends its body'].includes(what);
    expect(await get(waits ? QUICK : {})(`http://127.0.0.1:${port}/`)).toBe(error);
  });
});

describe('no connection is made', () => {
  const counted = async (attempt: (port: number) => Promise<unknown>): Promise<[unknown, number]> => {
    let connections = 0;
    const port = await listen(createServer(() => connections++));
    return [await attempt(port), connections];
  };

  it('to an IP literal that must not be reached, and to a name of which an address is internal', async () => {
    expect(await counted((port) => get({ networks: publicOnly })(`http://127.0.0.1:${port}/`))).toEqual(['unreachable_address', 0]);
    for (const internal of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], []]) {
      const resolve = async () => internal.map((address) => ({ address, family: 4 }));
      const asked = counted((port) => get({ networks: publicOnly, resolve })(`http://keys.example.com:${port}/`));
      expect(await asked).toEqual(['unreachable_address', 0]);
    }
  });

  it('to a name that resolves to an internal address the second time', async () => {
    let lookups = 0;
    const resolve = async () => [{ address: lookups++ === 0 ? '203.0.114.1' : '127.0.0.1', family: 4 }];
    const read = get({ networks: publicOnly, resolve, connectTimeout: 100 });
    const [, connections] = await counted(async (port) => {
      await read(`http://keys.example.com:${port}/`);
      return read(`http://keys.example.com:${port}/`);
    });
    expect([lookups, connections]).toEqual([2, 0]);
  });

  it('beside the egress proxy, which gets the checked address', async () => {
    const reach = await host((_, response) => response.end('{}'));
    const proxy = await ConnectProxy.start({ reach: () => ({ host: '127.0.0.1', port: reach }) });
    opened.push({ close: () => proxy[Symbol.asyncDispose]() });
    const egress = new EgressProxy({ proxy: proxy.url, resolves: false, direct: [] });
    const answers = ['203.0.114.1', '10.0.0.1'];
    const resolve = async () => [{ address: answers.shift() ?? '', family: 4 }];
    const read = get({ networks: publicOnly, egress, resolve });
    expect([await read('http://keys.example.com/'), await read('http://keys.example.com/')]).toEqual(['{}', 'unreachable_address']);
    expect(proxy.asked).toEqual(['203.0.114.1:80']);
  });
});
