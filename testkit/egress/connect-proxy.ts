import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';

import { eventually } from '#testkit/kernel/eventually';

/** A status, `HANGS`, which leaves CONNECT unanswered, or `BREAKS`, which closes the connection. */
export type ProxyAnswer = number | 'HANGS' | 'BREAKS';

export interface ProxyOptions {
  /** Where the tunnel to a target of CONNECT leads. Default: to that target. */
  readonly reach?: (target: string) => { readonly host: string; readonly port: number };
  /** `user:password`; others get 407. */
  readonly login?: string;
  /** PEM: the proxy speaks TLS. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** A small forward proxy on loopback that knows CONNECT alone, as RFC 9110 §9.3.6 has it. */
export class ConnectProxy implements AsyncDisposable {
  /** The targets of CONNECT, in their order. */
  readonly asked: string[] = [];
  /** Requests that were no CONNECT. */
  others = 0;
  /** The answer to further CONNECTs; undefined: a tunnel. */
  answer: ProxyAnswer | undefined;
  readonly #server;
  readonly #sockets = new Set<Socket>();

  private constructor(private readonly options: ProxyOptions) {
    this.#server = options.tls ? createTlsServer(options.tls) : createServer();
    this.#server.on('connection', (socket: Socket) => this.#sockets.add(socket.on('error', () => undefined)));
    this.#server.on('request', (_, response) => {
      this.others++;
      response.writeHead(405).end();
    });
    this.#server.on('connect', (request: IncomingMessage, socket: Socket) => {
      // A client that has closed its side has gone.
      socket.on('error', () => undefined).on('end', () => socket.destroy());
      this.#connect(request, socket);
    });
  }

  static async start(options: ProxyOptions = {}): Promise<ConnectProxy> {
    const proxy = new ConnectProxy(options);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `${this.options.tls ? 'https' : 'http'}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when no connection to the proxy is open. */
  async idle(): Promise<void> {
    await eventually(async () => {
      const open = await new Promise<number>((resolve) => this.#server.getConnections((_, count) => resolve(count)));
      return open === 0;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #connect({ url: target = '', headers }: IncomingMessage, socket: Socket): void {
    this.asked.push(target);
    const { login, reach } = this.options;
    const wanted = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
    const answer = this.answer ?? (wanted === undefined || headers['proxy-authorization'] === wanted ? undefined : 407);
    if (answer === 'HANGS') return void socket.resume();
    if (answer === 'BREAKS') return void socket.destroy();
    if (answer !== undefined) return void socket.end(`HTTP/1.1 ${answer} No\r\nContent-Length: 4\r\n\r\nbody`);
    const [, host = '', port = ''] = /^\[?(.+?)\]?:(\d+)$/.exec(target) ?? [];
    const onward = connect(reach?.(target) ?? { host, port: Number(port) });
    this.#sockets.add(onward);
    onward.on('error', () => socket.end('HTTP/1.1 502 No\r\nContent-Length: 0\r\n\r\n'));
    onward.once('connect', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    socket.once('close', () => onward.destroy());
  }
}
