import { isIPv4, isIPv6 } from 'node:net';

/**
 * A node with its port, as some proxies write it (RFC 7239 §6): `203.0.113.10:41000`, `[2001:db8::1]:41000`, a port that hides itself such as `:_gazonk`, and
 * `[2001:db8::1]` without one. Some leave the brackets out before a port.
 */
const WITH_PORT = /^(?:\[(?<bracketed>[^\]]*)\](?::(?:\d{1,5}|_[\w.-]+))?|(?<bare>.*):(?:\d{1,5}|_[\w.-]+))$/;
const MAPPED = /^::ffff:(?<high>[\da-f]{1,4}):(?<low>[\da-f]{1,4})$/;

/**
 * The address in a text, in its one short form: without a port, a zone or brackets, and an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2) as the IPv4
 * address. Undefined for a text that is no address.
 */
export const addressIn = (text: string): string | undefined => {
  if (isIPv4(text)) return text;
  if (isIPv6(text)) return shortForm(text);
  const { bracketed, bare } = WITH_PORT.exec(text)?.groups ?? {};
  if (bracketed !== undefined) return isIPv6(bracketed) ? shortForm(bracketed) : undefined;
  if (bare === undefined) return undefined;
  return isIPv4(bare) ? bare : isIPv6(bare) ? shortForm(bare) : undefined;
};

/** Without leading zeros, in lower case. */
const shortForm = (ipv6: string): string | undefined => {
  const short = URL.parse(`http://[${ipv6.split('%', 1)[0] ?? ''}]`)?.hostname.slice(1, -1);
  const { high, low } = MAPPED.exec(short ?? '')?.groups ?? {};
  if (high === undefined || low === undefined) return short;
  const [upper, lower] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [upper >> 8, upper & 255, lower >> 8, lower & 255].join('.');
};

/**
 * The network of an address, as a text: `4 192.0.2.1`, an IPv4 address as it is, or `6 2001:db8:0:1`, the /64 of an IPv6 address, because one caller
 * usually has all addresses of it. Two spellings of one address give the same text. Undefined for a text that is no address.
 */
export const networkOf = (text: string): string | undefined => {
  const address = addressIn(text);
  if (address === undefined) return undefined;
  if (isIPv4(address)) return `4 ${address}`;
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const groups = tail === undefined ? first : [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last];
  return `6 ${groups.slice(0, 4).join(':')}`;
};
