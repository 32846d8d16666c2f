import { isIPv4 } from 'node:net';

import { LINK_LOCAL_NETWORKS, METADATA_ADDRESSES, networksOverlap } from '#kernel';

import { GUARDED } from './environment.js';

/** Addresses that no proxy and no receiver of an operator has, in any form. */
const NEVER: Readonly<Record<string, readonly string[]>> = {
  'link-local addresses': LINK_LOCAL_NETWORKS,
  'metadata addresses': METADATA_ADDRESSES,
};

/** A network that is wider holds whole parts of the internet. */
const WIDEST = { ipv4: 8, ipv6: 16 } as const;
/** The addresses of IPv4. */
const MAPPED_PREFIX = 96;
const MAPPED = `::ffff:0:0/${MAPPED_PREFIX}`;

/** The faults of a list of networks, each with the place of its entries in the list. `remedy`: what to set the setting to. */
export const guardedNetworkProblems = (name: string, networks: readonly string[] | undefined, remedy: string): readonly string[] => {
  const places = new Map<string, number[]>();
  for (const [at, network] of (networks ?? []).entries()) {
    const fault = faultOf(network);
    if (fault !== undefined) places.set(fault, [...(places.get(fault) ?? []), at + 1]);
  }
  return [...places].map(
    ([fault, entries]) =>
      `${name} must not hold ${fault} (${entries.length > 1 ? 'entries' : 'entry'} ${entries.join(', ')}), ${GUARDED}. Set ${name} to ${remedy}.`,
  );
};

/** The first one of a network: a remedy for one of them takes the entry away. */
const faultOf = (network: string): string | undefined => {
  if (isTooWide(network)) return 'everything, nor whole parts of the internet';
  return Object.entries(NEVER).find(([, forbidden]) => forbidden.some((each) => networksOverlap(network, each)))?.[0];
};

/** Whether a network holds everything, or whole parts of the internet. */
export const isTooWide = (network: string): boolean => {
  const [address = '', length] = network.split('/');
  if (isIPv4(address)) return Number(length ?? 32) < WIDEST.ipv4;
  const prefix = Number(length ?? 128);
  if (prefix < WIDEST.ipv6) return true;
  // Networks of one kind of addresses lie one in the other, or apart.
  return networksOverlap(network, MAPPED) && prefix < MAPPED_PREFIX + WIDEST.ipv4;
};
