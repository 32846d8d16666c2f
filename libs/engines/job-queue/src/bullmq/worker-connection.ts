import type { ConnectionOptions } from 'bullmq';

import { connectRedis, type RedisAccess, redisOptions } from '#engines/access';

export interface WorkerConnection {
  /** For all workers of a queue, one after the other. */
  readonly connection: ConnectionOptions;
  /** Ends the connections that the workers leave open. */
  readonly close: () => void;
}

/** A worker connects to one server by itself. To a cluster it needs a client, which it uses, and duplicates where it waits for jobs, and leaves open. */
export const workerConnection = (access: RedisAccess): WorkerConnection => {
  if (!access.nodes) return { connection: { ...redisOptions(access), maxRetriesPerRequest: null }, close: () => undefined };
  const client = connectRedis(access, { maxRetriesPerRequest: null });
  client.on('error', () => undefined); // the workers report it
  return { connection: client, close: () => client.disconnect() };
};
