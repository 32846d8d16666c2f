import { isIPv6 } from 'node:net';

/** The /64 of an IPv6 address, because one caller usually has all addresses of it. An IPv4 address, also a mapped one, stays as it is. */
export const networkOf = (address: string): string => {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const groups = tail === undefined ? first : [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last];
  return groups.slice(0, 4).join(':');
};
