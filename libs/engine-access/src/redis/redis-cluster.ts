import { Cluster, Command, type Redis, type RedisOptions } from 'ioredis';

type NodeOptions = RedisOptions & {
  readonly retryStrategy: (this: { password?: string }, times: number) => number;
};

/** How often the client asks which node has which slot, besides after each MOVED; milliseconds. A frozen node tells nobody that another one has taken its slots. */
const REFRESH_INTERVAL = 10_000;

/** Connects at once, and again whenever all nodes are lost. A command follows MOVED and ASK. */
export const connectCluster = (nodes: readonly string[], own: NodeOptions, { enableOfflineQueue = true, ...options }: RedisOptions): Cluster => {
  const { retryStrategy, ...access } = own;
  const current = { ...access };
  // Read whenever a node is connected: a password file may have changed.
  const password = (): string | undefined => {
    retryStrategy.call(current as { password?: string }, 1);
    return current.password;
  };
  const redisOptions = { ...access, ...options };
  if (access.password !== undefined) Object.defineProperty(redisOptions, 'password', { enumerable: true, get: password });
  return new Cluster(nodes.map(hostAndPort), {
    redisOptions,
    enableOfflineQueue,
    slotsRefreshInterval: REFRESH_INTERVAL,
    clusterRetryStrategy: (times) => retryStrategy.call({}, times),
    // Names stay names: certificates hold them.
    dnsLookup: (host, done) => done(null, host),
  });
};

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
