import { BlockList, isIP } from 'node:net';

import { ipv4Within, LINK_LOCAL_NETWORKS, METADATA_ADDRESSES, withoutMapping } from '#kernel';

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

/** Of IPv6, global unicast is public, except 6to4, Teredo, documentation and protocol assignments. */
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
/** An address of IPv4 behind a translator, as the resolver of a network without IPv4 answers it (RFC 6052, RFC 6147). It is as public as the one that it holds. */
const translated = listOf(['64:ff9b::/96']);
/** Some are public by their number. */
const ofTheMachine = listOf([...LINK_LOCAL_NETWORKS, ...METADATA_ADDRESSES]);

const holds = (list: BlockList, address: string): boolean => isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Which addresses webhooks may reach: public ones, and the networks that the operator allows (CIDR). */
export class ReachableNetworks {
  readonly #allowed: BlockList;

  /** `allowedNetworks`: as `10.0.0.0/8`; an address without a prefix allows itself alone. */
  constructor(allowedNetworks: readonly string[]) {
    this.#allowed = listOf(allowedNetworks);
  }

  /** Whether the address lies in a network that the operator allows, and leads to no metadata address that the operator has not allowed by its IPv4 address. */
  isAllowed(address: string): boolean {
    const plain = canonical(address);
    return holds(this.#allowed, plain) && ipv4Within(plain).every((inner) => holds(this.#allowed, inner) || !holds(ofTheMachine, inner));
  }

  /** `address`: an IP address as the resolver answers it, judged by every IPv4 address that it leads to. Any other text is not reachable. */
  mayReach(address: string): boolean {
    if (this.isAllowed(address)) return true;
    const plain = canonical(address);
    if (holds(ofTheMachine, plain)) return false;
    if (isIP(plain) === 4) return isPublicV4(plain);
    const isPublic = (holds(globalUnicast, plain) && !holds(notPublicV6, plain)) || holds(translated, plain);
    return isPublic && ipv4Within(plain).every(isPublicV4);
  }
}

const isPublicV4 = (address: string): boolean => !holds(notPublicV4, address) && !holds(ofTheMachine, address);

/** Without a zone, and as IPv4 if it is mapped. */
const canonical = (address: string): string => withoutMapping(address).split('%', 1)[0] ?? address;
