import { BlockList, isIPv4 } from 'node:net';

import { addressIn } from './network-of.js';

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6');

/**
 * Tells whether an address lies in one of the networks, however it is written: with a port, or as an IPv4-mapped IPv6 address. `networks`: addresses and
 * networks such as `10.0.0.0/8`.
 */
export const within = (networks: readonly string[]): ((address: string | undefined) => boolean) => {
  const listed = new BlockList();
  for (const network of networks) {
    const [address = '', length] = network.split('/');
    if (length === undefined) listed.addAddress(address, familyOf(address));
    else listed.addSubnet(address, Number(length), familyOf(address));
  }
  return (text) => {
    const address = addressIn(text ?? '');
    return address !== undefined && listed.check(address, familyOf(address));
  };
};
