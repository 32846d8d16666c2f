import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';

/** The first bytes of every HTTP/2 connection (RFC 9113 §3.4). */
const PREFACE = Buffer.from('PRI * HTTP/2.0');

/** PEM texts. */
export interface Tls {
  readonly certificate: string;
  readonly key: string;
}

export interface Protocols {
  grpc(connection: Socket): void;
  http(connection: Socket): void;
}

/** One port for gRPC and for plain HTTP, as EventStoreDB has it: the first bytes of a connection tell which it is. */
export class Listener {
  readonly #connections = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(port: number, protocols: Protocols, tls: Tls | undefined): Promise<Listener> {
    const accept = (connection: Socket): void => distinguish(connection, protocols);
    const server = tls
      ? createSecureServer({ cert: tls.certificate, key: tls.key, ALPNProtocols: ['h2', 'http/1.1'] }, accept)
      : createServer(accept);
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the listener has no port');
    const listener = new Listener(server, address.port);
    server.on('connection', (connection: Socket) => {
      listener.#connections.add(connection);
      connection.on('close', () => listener.#connections.delete(connection));
    });
    return listener;
  }

  /** Ends all connections at once. */
  stop(): void {
    this.server.close();
    for (const connection of this.#connections) connection.destroy();
  }
}

const distinguish = (connection: Socket, { grpc, http }: Protocols): void => {
  connection.on('error', () => connection.destroy());
  connection.setNoDelay();
  connection.once('data', (first: Buffer) => {
    connection.pause();
    connection.unshift(first);
    if (first.subarray(0, PREFACE.length).equals(PREFACE.subarray(0, first.length))) return grpc(connection);
    http(connection);
    connection.resume();
  });
};
