import { type EventStoreDbAccess, withAccess } from './eventstoredb-access.js';

export interface Target {
  readonly seeds: readonly string[];
  /** Whether the seeds belong to a cluster, in which one node leads. */
  readonly isCluster: boolean;
  /** The connection string for one of its nodes. */
  readonly of: (host: string) => string;
}

const PARTS = /^esdb(?<discover>\+discover)?:\/\/(?<credentials>[^/?]*@)?(?<hosts>[^/?@]+)(?<rest>.*)$/;

/** Of a connection string that the client has accepted before. */
export const targetOf = (connectionString: string, access: EventStoreDbAccess): Target => {
  const { discover, credentials = '', hosts = '', rest = '' } = PARTS.exec(connectionString.trim())?.groups ?? {};
  const seeds = hosts.split(',').map((host) => (/:\d+$/.test(host) ? host : `${host}:2113`));
  return { seeds, isCluster: discover !== undefined || seeds.length > 1, of: (host) => withAccess(`esdb://${credentials}${host}${rest}`, access) };
};
