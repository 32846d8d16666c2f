import { isIPv4, isIPv6 } from 'node:net';

import type { FastifyRequest } from 'fastify';

import { networkOf } from './network-of.js';

const MAPPED = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

/**
 * The network that a request comes from: `4 192.0.2.1`, an IPv4 address as it is, or `6 2001:db8:0:1`, the /64 of an IPv6 address. Two requests of one network
 * give the same text, however their addresses are spelled.
 *
 * Undefined if the service cannot know the network. With TRUSTED_PROXIES, only the address that one of these proxies reports counts. Without them, a
 * request that another proxy has passed on would show that proxy's address.
 */
export const clientNetwork = ({ headers, ip, ips }: Pick<FastifyRequest, 'headers' | 'ip' | 'ips'>): string | undefined => {
  const isKnown = ips ? ips.length > 1 : headers['x-forwarded-for'] === undefined && headers['forwarded'] === undefined;
  if (!isKnown) return undefined;
  const address = ip.replace(MAPPED, '');
  if (isIPv4(address)) return `4 ${address}`;
  // The address in its one short form: no leading zeros, lower case. One with a zone has none.
  const short = isIPv6(address) ? URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) : undefined;
  return short === undefined ? undefined : `6 ${networkOf(short)}`;
};
