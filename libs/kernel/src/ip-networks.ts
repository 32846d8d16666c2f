import { isIPv4, isIPv6 } from 'node:net';

/** An address or a network, as a number of 128 bits, and which of its bits are known. Those of an IPv4 address lie behind ::ffff:0:0/96. */
interface Pattern {
  readonly bits: bigint;
  readonly known: bigint;
}

/** Bits of an IPv4 address that stand together, and how many bits lie to the right of them: in that address, and in the IPv6 address that holds it. */
interface Piece {
  readonly length: bigint;
  readonly inner: bigint;
  readonly outer: bigint;
}

/** A way to write an IPv4 address into an IPv6 one, by which a router or the host itself sends to the IPv4 address. */
interface Transition {
  readonly prefix: Pattern;
  readonly pieces: readonly Piece[];
  /** Each bit is written as the other one. */
  readonly inverted?: true;
  /** Any network may hold such addresses, so one tells nothing unless it names the whole prefix. */
  readonly anywhere?: true;
}

const ALL_V4 = (1n << 32n) - 1n;
const ALL_V6 = (1n << 128n) - 1n;

/** Throws a TypeError for a text that is neither an address nor a network. */
const patternOf = (network: string): Pattern => {
  const [address = '', length] = network.split('/');
  if (isIPv4(address)) {
    const free = 32n - BigInt(length ?? 32);
    return { bits: (0xffffn << 32n) | numberOfV4(address), known: ALL_V6 & ~((1n << free) - 1n) };
  }
  const bits = numberOf(address);
  if (bits === undefined) throw new TypeError('neither an address nor a network');
  return { bits, known: ALL_V6 & ~((1n << (128n - BigInt(length ?? 128))) - 1n) };
};

const numberOfV4 = (address: string): bigint => address.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);

/** Of an IPv6 address, in any spelling, also with a zone. */
const numberOf = (text: string): bigint | undefined => {
  if (!isIPv6(text)) return undefined;
  // A canonical address has no dotted part.
  const canonical = URL.parse(`http://[${text.split('%', 1)[0] ?? ''}]`)?.hostname.slice(1, -1);
  if (canonical === undefined) return undefined;
  const [head = [], tail] = canonical.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = tail === undefined ? [] : Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...(tail ?? [])].reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
};

const LAST: readonly Piece[] = [{ length: 32n, inner: 0n, outer: 0n }];
const under = (network: string, pieces: readonly Piece[], more: Pick<Transition, 'inverted'> = {}): Transition => ({
  prefix: patternOf(network),
  pieces,
  ...more,
});
const isatap = (marker: bigint): Transition => ({
  prefix: { bits: marker << 32n, known: ALL_V4 << 32n },
  pieces: LAST,
  anywhere: true,
});

const MAPPED = under('::ffff:0:0/96', LAST);
const TRANSITIONS: readonly Transition[] = [
  // IPv4-mapped and IPv4-compatible (RFC 4291 §2.5.5), IPv4-translated (RFC 2765 §2.1).
  MAPPED,
  under('::/96', LAST),
  under('::ffff:0:0:0/96', LAST),
  // NAT64: the well-known prefix, and the local one, below which an operator takes a prefix of any length (RFC 6052 §2.2, RFC 8215).
  under('64:ff9b::/96', LAST),
  under('64:ff9b:1::/48', LAST),
  under('64:ff9b:1::/48', [{ length: 32n, inner: 0n, outer: 24n }]),
  under('64:ff9b:1::/48', [
    { length: 8n, inner: 24n, outer: 64n },
    { length: 24n, inner: 0n, outer: 32n },
  ]),
  under('64:ff9b:1::/48', [
    { length: 16n, inner: 16n, outer: 64n },
    { length: 16n, inner: 0n, outer: 40n },
  ]),
  // 6to4 (RFC 3056 §2).
  under('2002::/16', [{ length: 32n, inner: 0n, outer: 80n }]),
  // Teredo: the server, and the client (RFC 4380 §4).
  under('2001::/32', [{ length: 32n, inner: 0n, outer: 64n }]),
  under('2001::/32', LAST, { inverted: true }),
  // ISATAP (RFC 5214 §6.1).
  isatap(0x5efen),
  isatap(0x2005efen),
];

const moved = (bits: bigint, pieces: readonly Piece[], from: 'inner' | 'outer', to: 'inner' | 'outer'): bigint =>
  pieces.reduce((sum, piece) => sum | (((bits >> piece[from]) & ((1n << piece.length) - 1n)) << piece[to]), 0n);

const isWithin = (bits: bigint, { prefix }: Transition): boolean => ((bits ^ prefix.bits) & prefix.known) === 0n;

const dotted = (bits: bigint): string => [24n, 16n, 8n, 0n].map((shift) => String((bits >> shift) & 0xffn)).join('.');

const innerOf = (bits: bigint, { pieces, inverted }: Transition): string => {
  const inner = moved(bits, pieces, 'outer', 'inner');
  return dotted(inverted ? inner ^ ALL_V4 : inner);
};

/** `::ffff:10.0.0.1`, in any spelling, is 10.0.0.1: the same address. Any other text is answered as it is. */
export const withoutMapping = (address: string): string => {
  const bits = numberOf(address);
  return bits !== undefined && isWithin(bits, MAPPED) ? innerOf(bits, MAPPED) : address;
};

/** Every IPv4 address that an IPv6 address may lead to: mapped, translated or tunnelled. None for an IPv4 address, and for a text that is no address. */
export const ipv4Within = (address: string): readonly string[] => {
  const bits = numberOf(address);
  if (bits === undefined) return [];
  return TRANSITIONS.filter((transition) => isWithin(bits, transition)).map((transition) => innerOf(bits, transition));
};

const isCommon = (one: Pattern, other: Pattern): boolean => ((one.bits ^ other.bits) & one.known & other.known) === 0n;

/** The network written into IPv6 addresses. */
const writtenInto = ({ prefix, pieces, inverted }: Transition, { bits, known }: Pattern): Pattern => ({
  bits: prefix.bits | moved(inverted ? bits ^ ALL_V4 : bits, pieces, 'inner', 'outer'),
  known: prefix.known | moved(known, pieces, 'inner', 'outer'),
});

/**
 * Whether two networks, or addresses, have an address in common. One of IPv4, given as the second, is looked for in every IPv6 form too that leads to it. Throws a TypeError for a text that is
 * neither an address nor a network.
 */
export const networksOverlap = (network: string, other: string): boolean => {
  const [one, two] = [patternOf(network), patternOf(other)];
  if (isCommon(one, two)) return true;
  if (!isIPv4(other.split('/', 1)[0] ?? '')) return false;
  return TRANSITIONS.some((transition) => {
    if (transition.anywhere && (one.known & transition.prefix.known) !== transition.prefix.known) return false;
    return isCommon(one, writtenInto(transition, two));
  });
};
