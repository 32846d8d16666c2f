import { lookup as systemLookup } from 'node:dns';
import { Agent as HttpAgent, type AgentOptions, type ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';

import { connectTunnel } from './connect-tunnel.js';
import { DirectTargets } from './direct-targets.js';
import { ConnectTimeout, EgressProxyFailed, TargetUnreached } from './egress-errors.js';

export interface EgressRules {
  /** http or https, without user and path. */
  readonly proxy: string;
  /** `user:password`; read for each connection. */
  readonly login?: (() => string) | undefined;
  /** PEM: the CA of the proxy's certificate; read for each connection. Absent: those that Node trusts. */
  readonly ca?: (() => string) | undefined;
  /** Whether the proxy gets the names of the targets. False: it gets an address that was looked up, and checked, here. */
  readonly resolves: boolean;
  /** Addresses, networks and names of hosts that are reached without the proxy. */
  readonly direct: readonly string[];
  /** Told when the proxy fails, and with undefined when it works again. */
  readonly observe?: (failure: string | undefined) => void;
}

/** For requests of `node:http` and `node:https`. */
export interface EgressAgents {
  readonly 'http:': HttpAgent;
  readonly 'https:': HttpsAgent;
}

export interface AgentSettings {
  /** Looks up and checks the addresses of a name. Default: that of the system. It is not asked where the proxy resolves. */
  readonly lookup?: LookupFunction | undefined;
  /** Milliseconds until a connection is open: that to the proxy, that through it, and TLS to the target. */
  readonly timeout: number;
  readonly agent?: AgentOptions;
}

type Options = ClientRequestArgs & ConnectionOptions;
type Open = (options: Options) => Promise<Socket>;
type Done = (error: Error | null, socket: Duplex) => void;

/** The way out of the network for calls to addresses of the internet: a proxy that opens connections by CONNECT, for http and for https (docs/adr/0121-egress-proxy.md). */
export class EgressProxy {
  readonly #proxy: URL;
  readonly #direct: DirectTargets;
  #failed = false;

  constructor(private readonly settings: EgressRules) {
    this.#proxy = new URL(settings.proxy);
    this.#direct = new DirectTargets(settings.direct);
  }

  /** Whether the proxy looks up names, so that this process sees no address of a target. */
  get resolves(): boolean {
    return this.settings.resolves;
  }

  /**
   * Agents whose connections go through the proxy. A connection fails with the error of `lookup` or of TLS, with EgressProxyFailed, TargetUnreached or
   * ConnectTimeout.
   */
  agents(settings: AgentSettings): EgressAgents {
    return {
      'http:': opening(new HttpAgent(settings.agent), (options) => this.#open(options, settings)),
      'https:': opening(new HttpsAgent(settings.agent), (options) => this.#open(options, settings, true)),
    };
  }

  async #open(options: Options, { lookup = systemLookup, timeout }: AgentSettings, secure = false): Promise<Socket> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), timeout);
    let late: (() => void) | undefined;
    const ended = new Promise<never>((_, reject) => {
      late = () => reject(new ConnectTimeout(`no connection within ${timeout} ms`));
      abort.signal.addEventListener('abort', late);
    });
    try {
      const opening = this.#reach(options, lookup, abort.signal).then((socket) => (secure ? handshake(socket, options, abort.signal) : socket));
      opening.then(
        (socket) => abort.signal.aborted && socket.destroy(),
        () => undefined,
      );
      return await Promise.race([opening, ended]);
    } finally {
      clearTimeout(timer);
      if (late) abort.signal.removeEventListener('abort', late);
    }
  }

  /** The first target that can be reached. Only one that the proxy does not reach, or that refuses a direct connection, is followed by the next. */
  async #reach({ host, port }: Options, lookup: LookupFunction, signal: AbortSignal): Promise<Socket> {
    let failure: unknown;
    for (const target of await this.#targetsOf(`${host}`.replace(/^\[|\]$/g, ''), lookup)) {
      try {
        return await (target.direct ? connectDirect(target.host, Number(port), signal) : this.#tunnel(target.host, Number(port), signal));
      } catch (error) {
        failure = error;
        if (signal.aborted || error instanceof EgressProxyFailed) break;
      }
    }
    throw failure;
  }

  async #targetsOf(host: string, lookup: LookupFunction): Promise<readonly { readonly host: string; readonly direct: boolean }[]> {
    const named = this.#direct.hasName(host);
    if (isIP(host) !== 0) return [{ host, direct: this.#direct.hasAddress(host) }];
    if (this.resolves && !named) return [{ host, direct: false }];
    return (await addressesOf(host, lookup)).map((address) => ({ host: address, direct: named || this.#direct.hasAddress(address) }));
  }

  async #tunnel(host: string, port: number, signal: AbortSignal): Promise<Socket> {
    const { login, ca } = this.settings;
    try {
      const socket = await connectTunnel({ proxy: this.#proxy, login: login?.(), ca: ca?.(), host, port, signal });
      this.#report(undefined);
      return socket;
    } catch (error) {
      if (error instanceof EgressProxyFailed) this.#report(error.message);
      if (error instanceof TargetUnreached) this.#report(undefined);
      throw error;
    }
  }

  /** Each change is told once. */
  #report(failure: string | undefined): void {
    if (this.#failed === (failure !== undefined)) return;
    this.#failed = failure !== undefined;
    this.settings.observe?.(failure);
  }
}

/** The agent, which opens its connections so. */
const opening = <Agent extends HttpAgent>(agent: Agent, open: Open): Agent =>
  Object.assign(agent, {
    createConnection(options: Options, done: Done): void {
      open(options).then(
        (socket) => done(null, socket),
        (error: Error) => done(error, undefined as never),
      );
    },
  });

const addressesOf = (name: string, lookup: LookupFunction): Promise<readonly string[]> =>
  new Promise((resolve, reject) =>
    lookup(name, { all: true, verbatim: true }, (error, found) => {
      if (error) return reject(error);
      resolve(typeof found === 'string' ? [found] : found.map(({ address }) => address));
    }),
  );

const connectDirect = (host: string, port: number, signal: AbortSignal): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connectTcp({ host, port });
    const end = () => socket.destroy(new ConnectTimeout('no connection in time'));
    signal.addEventListener('abort', end, { once: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      signal.removeEventListener('abort', end);
      socket.off('error', reject);
      resolve(socket);
    });
  });

/** TLS to the target, whose certificate is checked for the name of the request, whatever the address. */
const handshake = (socket: Socket, options: Options, signal: AbortSignal): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const secured = connectTls({ ...options, socket });
    const end = () => secured.destroy(new ConnectTimeout('no TLS in time'));
    signal.addEventListener('abort', end, { once: true });
    secured.once('error', (error: Error) => {
      socket.destroy();
      reject(error);
    });
    secured.once('close', () => reject(Object.assign(new Error('the connection was closed during TLS'), { code: 'ECONNRESET' })));
    secured.once('secureConnect', () => {
      signal.removeEventListener('abort', end);
      resolve(secured);
    });
  });
