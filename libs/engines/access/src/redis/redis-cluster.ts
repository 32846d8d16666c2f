import { Cluster, type ClusterNode, type ClusterOptions, Command, type Redis, type RedisOptions } from 'ioredis';

type NodeOptions = RedisOptions & {
  readonly retryStrategy: (this: { password?: string }, times: number) => number;
};

/** How often the client asks which node has which slot, besides after each MOVED; milliseconds. A frozen node does not report that another one has taken its slots. */
const REFRESH_INTERVAL = 10_000;

type Password = () => string | undefined;

/** Connects at once, and again whenever all nodes are lost. A command follows MOVED and ASK. */
export const connectCluster = (nodes: readonly string[], own: NodeOptions, { enableOfflineQueue = true, ...options }: RedisOptions): Cluster => {
  const { retryStrategy, ...access } = own;
  const current = { ...access };
  // Read for each connection: a password file may have changed.
  const password: Password = () => {
    retryStrategy.call(current as { password?: string }, 1);
    return current.password;
  };
  const clusterOptions: ClusterOptions = {
    redisOptions: { ...access, ...options },
    enableOfflineQueue,
    slotsRefreshInterval: REFRESH_INTERVAL,
    clusterRetryStrategy: (times) => retryStrategy.call({}, times),
    // Connects by name and not by address, because certificates hold names.
    dnsLookup: (host, done) => done(null, host),
  };
  return new PasswordCluster(nodes.map(hostAndPort), clusterOptions, password);
};

/**
 * A cluster whose connections all log in with the current password. ioredis copies the options of a node for the connections that ask for the slots
 * and subscribe. BullMQ duplicates the whole client, with a copy of its options, to wait for jobs.
 */
class PasswordCluster extends Cluster {
  readonly #nodes: ClusterNode[];
  readonly #password: Password;

  constructor(nodes: ClusterNode[], { redisOptions, ...options }: ClusterOptions, password: Password) {
    super(nodes, { ...options, redisOptions: withPassword({ ...redisOptions }, password) });
    this.#nodes = nodes;
    this.#password = password;
    this.on('+node', (node: Redis) => withPassword(node.options, password));
  }

  override duplicate(nodes: ClusterNode[] = [], options: ClusterOptions = {}): Cluster {
    return new PasswordCluster(nodes.length > 0 ? nodes : this.#nodes, { ...this.options, ...options }, this.#password);
  }
}

/** The options with a password that is read anew at each use. Options without a password stay unchanged. */
const withPassword = <Options extends { readonly password?: string | null | undefined }>(options: Options, password: Password): Options =>
  options.password ? Object.defineProperty(options, 'password', { enumerable: true, configurable: true, get: password }) : options;

const hostAndPort = (url: string): { readonly host: string; readonly port: number } => {
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || '6379') };
};

/** `host:port` of the node that has a key or channel; undefined while that is not known. */
export const nodeOf = (cluster: Cluster, key: string): string | undefined => {
  const slot = new Command('get', [key]).getSlot();
  return slot === null ? undefined : cluster.slots[slot]?.[0];
};

/** `host:port`, as {@link nodeOf} names it. */
export const nameOf = ({ options }: Redis): string => `${options.host}:${options.port}`;
