import { BlockList, isIPv4 } from 'node:net';

import { GUARDED } from './environment.js';

type Network = readonly [address: string, prefix: number];

/** Addresses that no proxy and no receiver of an operator has. Those of IPv4 are held by networks that write them as IPv6 too. */
const NEVER: Readonly<Record<string, readonly Network[]>> = {
  'link-local addresses': [
    ['169.254.0.0', 16],
    ['fe80::', 10],
    // 169.254.0.0/16 behind NAT64 (RFC 6052), in 6to4 (RFC 3056) and as an IPv4-compatible address (RFC 4291 §2.5.5.1).
    ['64:ff9b::169.254.0.0', 112],
    ['2002:a9fe::', 32],
    ['::169.254.0.0', 112],
  ],
  // Where the clouds answer with credentials of the machine, besides link-local ones: AWS, Google, Alibaba, Oracle, Azure.
  'metadata addresses': [
    ['fd00:ec2::254', 128],
    ['fd00:ec2::23', 128],
    ['fd20:ce::254', 128],
    ['100.100.100.200', 32],
    ['192.0.0.192', 32],
    ['168.63.129.16', 32],
  ],
};

/** A network that is wider holds whole parts of the internet. */
const WIDEST = { ipv4: 8, ipv6: 16 } as const;
/** ::ffff:0:0/96 are the addresses of IPv4. */
const MAPPED_PREFIX = 96;

/** The faults of a list of networks, each with the place of its entries in the list. `remedy`: what to set the setting to. */
export const guardedNetworkProblems = (name: string, networks: readonly string[] | undefined, remedy: string): readonly string[] => {
  const places = new Map<string, number[]>();
  for (const [at, network] of (networks ?? []).entries())
    for (const fault of faultsOf(network)) places.set(fault, [...(places.get(fault) ?? []), at + 1]);
  return [...places].map(
    ([fault, entries]) =>
      `${name} must not hold ${fault} (${entries.length > 1 ? 'entries' : 'entry'} ${entries.join(', ')}), ${GUARDED}. Set ${name} to ${remedy}.`,
  );
};

const faultsOf = (text: string): readonly string[] => {
  const [address = '', length] = text.split('/');
  const family = familyOf(address);
  const prefix = Number(length ?? (family === 'ipv4' ? 32 : 128));
  if (isTooWide(address, prefix)) return ['everything, nor whole parts of the internet'];
  return Object.entries(NEVER)
    .filter(([, forbidden]) => forbidden.some((network) => overlap([address, prefix], network)))
    .map(([fault]) => fault);
};

/** Networks of one kind of addresses lie one in the other, or apart. */
const overlap = (one: Network, other: Network): boolean => holds(one, other[0]) || holds(other, one[0]);

const holds = ([address, prefix]: Network, inner: string): boolean => {
  const list = new BlockList();
  list.addSubnet(withoutZone(address), prefix, familyOf(address));
  return list.check(withoutZone(inner), familyOf(inner));
};

const isTooWide = (address: string, prefix: number): boolean => {
  if (isIPv4(address)) return prefix < WIDEST.ipv4;
  const holdsMapped = prefix <= MAPPED_PREFIX && holds([address, prefix], '0.0.0.0');
  const isMapped = prefix >= MAPPED_PREFIX && holds(['::ffff:0:0', MAPPED_PREFIX], address);
  return prefix < WIDEST.ipv6 || holdsMapped || (isMapped && prefix - MAPPED_PREFIX < WIDEST.ipv4);
};

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6');

const withoutZone = (address: string): string => address.split('%', 1)[0] ?? address;
