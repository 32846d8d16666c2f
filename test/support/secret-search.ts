import type { RecordedSecret } from './secrets.js';

export interface Find {
  readonly kind: string;
  readonly encoding: string;
  readonly offset: number;
}

interface Needle {
  readonly kind: string;
  readonly encoding: string;
  readonly bytes: Buffer;
}

/** Every needle is known by its first bytes; shorter ones would be found by chance. */
const PREFIX = 8;
const FILTER_BITS = 22;
/** A local name, because globals are slow to look up in jest's environment. */
const { imul } = Math;

/** Finds any of very many byte strings, in one pass over a haystack: a rolling hash of the first eight bytes, then a comparison. */
export class SecretSearch {
  readonly #filter = new Uint8Array(1 << FILTER_BITS);
  readonly #byHash = new Map<number, Needle[]>();

  constructor(sightings: Iterable<RecordedSecret>) {
    const known = new Set<string>();
    for (const { kind, value } of sightings) {
      for (const [encoding, bytes] of spellings(value)) {
        const same = bytes.toString('latin1');
        if (bytes.length < PREFIX || known.has(same)) continue;
        known.add(same);
        const hash = hashAt(bytes, 0);
        this.#filter[hash >>> (32 - FILTER_BITS)] = 1;
        this.#byHash.set(hash, [...(this.#byHash.get(hash) ?? []), { kind, encoding, bytes }]);
      }
    }
  }

  in(haystack: Buffer): Find[] {
    const finds: Find[] = [];
    for (let offset = 0; offset + PREFIX <= haystack.length; offset++) {
      const hash = hashAt(haystack, offset);
      if (this.#filter[hash >>> (32 - FILTER_BITS)] === 0) continue;
      for (const { kind, encoding, bytes } of this.#byHash.get(hash) ?? []) {
        if (haystack.compare(bytes, 0, bytes.length, offset, Math.min(offset + bytes.length, haystack.length)) === 0)
          finds.push({ kind, encoding, offset });
      }
    }
    return finds;
  }
}

const hashAt = (bytes: Buffer, at: number): number => {
  const first = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
  const second = bytes[at + 4]! | (bytes[at + 5]! << 8) | (bytes[at + 6]! << 16) | (bytes[at + 7]! << 24);
  return (imul(first, 0x9e3779b1) ^ imul(second, 0x85ebca77)) >>> 0;
};

/** The ways a text may lie in a file: as it is, in JSON, in a URL, in hex, and in base64 at each of three alignments. */
const spellings = (value: string): [string, Buffer][] => {
  const utf8 = Buffer.from(value, 'utf8');
  const ascii = (encoding: string, text: string): [string, Buffer] => [encoding, Buffer.from(text, 'latin1')];
  return [
    ['plain', utf8],
    ['UTF-16', Buffer.from(value, 'utf16le')],
    ['JSON', Buffer.from(JSON.stringify(value).slice(1, -1))],
    ascii('URL', wellFormed(value)),
    ascii('hex', utf8.toString('hex')),
    ascii('HEX', utf8.toString('hex').toUpperCase()),
    ...[0, 1, 2].flatMap((shift): [string, Buffer][] => {
      // Characters at the edges mix with the neighbours' bits: leave them out.
      const inner = Buffer.concat([Buffer.alloc(shift), utf8])
        .toString('base64')
        .replace(/=+$/, '')
        .slice(shift === 0 ? 0 : shift + 1, -1);
      return [ascii('base64', inner), ascii('base64url', inner.replaceAll('+', '-').replaceAll('/', '_'))];
    }),
    ...decoded(value),
  ];
};

/** A token is text in base64url of bytes that may be stored as such, or in hex. */
const decoded = (value: string): [string, Buffer][] => {
  if (!/^[A-Za-z0-9_-]{22,}$/.test(value)) return [];
  const bytes = Buffer.from(value, 'base64url');
  return [
    ['its bytes', bytes],
    ['its bytes in hex', Buffer.from(bytes.toString('hex'), 'latin1')],
  ];
};

const wellFormed = (value: string): string => encodeURIComponent(value.toWellFormed());
