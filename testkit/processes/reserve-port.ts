import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/**
 * A port of 127.0.0.1 that stays reserved until this process ends. A connection to a server of our own leaves from it: the kernel gives
 * such a port to no other socket that asks for any free port, and yet a server that names it may listen on it (SO_REUSEADDR, which Node,
 * nginx, Redis and Java all set), end, and listen on it again. So no other process can take the port between the choice and the
 * listening, nor between two starts.
 */
export const reservePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const holder = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress: '127.0.0.1' });
  await once(holder, 'connect');
  const [peer] = (await accepted) as [typeof holder];
  // The sockets stay open, but do not keep this process alive.
  for (const end of [holder, peer]) end.on('error', () => undefined).unref();
  server.close();
  const { localPort } = holder;
  if (localPort === undefined) throw new Error('the reserving connection has no local port');
  return localPort;
};

/** As many ports as asked for; see {@link reservePort}. */
export const reservePorts = (count: number): Promise<number[]> => Promise.all(Array.from({ length: count }, () => reservePort()));
