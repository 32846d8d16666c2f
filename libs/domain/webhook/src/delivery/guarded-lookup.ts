import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

import type { ReachableNetworks } from '../domain/reachable-networks.js';

/** The host resolves to an address that webhooks must not reach. */
export class UnreachableAddress extends Error {
  readonly code = 'ERR_UNREACHABLE_ADDRESS';

  constructor() {
    super('the host resolves to an address that webhooks must not reach');
    this.name = 'UnreachableAddress';
  }
}

/** All addresses of a name, as the system resolves it. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export const systemResolve: Resolve = (hostname) =>
  new Promise((resolve, reject) =>
    systemLookup(hostname, { all: true, verbatim: true }, (error, addresses) => (error ? reject(error) : resolve(addresses))),
  );

/**
 * A resolver for sockets that answers addresses only if webhooks may reach all of them. The socket connects to the checked address, so a name
 * that changes in between is no way round the check (DNS rebinding). Sockets do not call it for IP literals: the caller checks those.
 */
export const guardedLookup =
  (networks: ReachableNetworks, resolve: Resolve = systemResolve): LookupFunction =>
  (hostname, { all }, callback) => {
    const answer = async (): Promise<LookupAddress[]> => {
      const addresses = [...(await resolve(hostname))];
      if (addresses.length === 0 || !addresses.every(({ address }) => networks.mayReach(address))) throw new UnreachableAddress();
      return addresses;
    };
    answer().then(
      (addresses) => (all ? callback(null, addresses) : callback(null, addresses[0]?.address ?? '', addresses[0]?.family)),
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
