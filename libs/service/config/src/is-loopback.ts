import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** Whether only this machine is reached under that address or name; an IPv6 address without brackets. */
export const isLoopback = (host: string): boolean => {
  const version = isIP(host);
  return version === 0 ? host === 'localhost' : LOOPBACK.check(host, version === 4 ? 'ipv4' : 'ipv6');
};
