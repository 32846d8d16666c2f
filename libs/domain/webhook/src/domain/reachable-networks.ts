import { BlockList, isIP } from 'node:net';

/** The IPv4 networks that are not public (IANA special-purpose registry): a webhook must not reach internal addresses. */
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** Of IPv6, global unicast is public, except 6to4, Teredo, documentation and protocol assignments. NAT64 lies outside of it. */
const GLOBAL_UNICAST = '2000::/3';
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '2620:4f:8000::/48'];

const listOf = (networks: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const version = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, version);
    else list.addSubnet(address, Number(prefix), version);
  }
  return list;
};

const notPublicV4 = listOf(NOT_PUBLIC_V4);
const notPublicV6 = listOf(NOT_PUBLIC_V6);
const globalUnicast = listOf([GLOBAL_UNICAST]);

/** Which addresses webhooks may reach: public ones, and the networks that the operator allows (CIDR). */
export class ReachableNetworks {
  readonly #allowed: BlockList;

  /** `allowedNetworks`: as `10.0.0.0/8`; an address without a prefix allows itself alone. */
  constructor(allowedNetworks: readonly string[]) {
    this.#allowed = listOf(allowedNetworks);
  }

  /** Whether the address lies in a network that the operator allows. */
  isAllowed(address: string): boolean {
    const plain = withoutMapping(address);
    const version = isIP(plain);
    return version !== 0 && this.#allowed.check(plain, version === 6 ? 'ipv6' : 'ipv4');
  }

  /** `address`: an IP address as the resolver answers it. Any other text is not reachable. */
  mayReach(address: string): boolean {
    if (this.isAllowed(address)) return true;
    const plain = withoutMapping(address);
    if (isIP(plain) === 4) return !notPublicV4.check(plain, 'ipv4');
    return isIP(plain) === 6 && globalUnicast.check(plain, 'ipv6') && !notPublicV6.check(plain, 'ipv6');
  }
}

/** `::ffff:10.0.0.1`, in any spelling, is 10.0.0.1. */
const withoutMapping = (address: string): string => {
  if (isIP(address) !== 6) return address;
  const canonical = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return canonical;
  const bits = (Number.parseInt(high, 16) << 16) | Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 0xff).join('.');
};
