import { BlockList, isIPv4 } from 'node:net';

import { addressIn } from './network-of.js';

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6');

/**
 * Tells the addresses of trusted proxies, for Fastify's `trustProxy`. A proxy that another one names with its port is the same proxy. `networks`: addresses
 * and networks such as `10.0.0.0/8`.
 */
export const trustsProxy = (networks: readonly string[]): ((address: string | undefined) => boolean) => {
  const trusted = new BlockList();
  for (const network of networks) {
    const [address = '', length] = network.split('/');
    if (length === undefined) trusted.addAddress(address, familyOf(address));
    else trusted.addSubnet(address, Number(length), familyOf(address));
  }
  return (text) => {
    const address = addressIn(text ?? '');
    return address !== undefined && trusted.check(address, familyOf(address));
  };
};
