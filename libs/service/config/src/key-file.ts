import { IsBoolean, IsISO8601, IsOptional, Matches, ValidateBy, validateSync } from 'class-validator';

import { type Clock, fromBase64, type Randomness, type RingKey, Secret } from '#kernel';

import type { KeyFileName } from './key-file-names.js';
import { isSigningPair, newSigningPair } from './signing-pair.js';

/** A key in a file of `KEY_DIR`. */
export class KeyFileEntry {
  @Matches(/^[A-Za-z0-9_-]{1,32}$/, { message: 'id must be 1 to 32 letters, digits, - or _' })
  readonly id!: string;

  /** The base64 of 32 bytes; in `openid.json` of a JWK Set of two private keys. */
  @ValidateBy({
    name: 'isKey',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && fromBase64(value) !== undefined,
      defaultMessage: () => 'key must be base64',
    },
  })
  readonly key!: string;

  /** From this time on the key makes new values. */
  @IsISO8601({ strict: true }, { message: 'notBefore must be a date and time such as 2026-01-01T00:00:00Z' })
  readonly notBefore!: string;

  /** Whether the service made the key itself; guarded environments refuse such keys. */
  @IsBoolean({ message: 'development must be true or false' })
  readonly development!: boolean;

  /** Of a former subject key: until then clients may use subjectIds that were made under it. */
  @IsOptional()
  @IsISO8601({ strict: true }, { message: 'acceptedUntil must be a date and time such as 2026-01-01T00:00:00Z' })
  readonly acceptedUntil?: string;
}

export interface DatedKey extends RingKey {
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly development: boolean;
  /** Milliseconds since the epoch. */
  readonly acceptedUntil?: number;
}

/** The keys of the file of that name. Throws an error that names the broken rule and contains no key. */
export const parseKeyFile = (name: KeyFileName, content: string): readonly DatedKey[] => {
  const entries = listOf(content);
  for (const entry of entries) {
    const broken = validateSync(entry).flatMap(({ constraints = {} }) => Object.values(constraints))[0] ?? faultOf(name, entry);
    if (broken !== undefined) throw new Error(broken);
  }
  if (new Set(entries.map(({ id }) => id)).size < entries.length) throw new Error('two keys have the same id');
  return entries.map(({ id, key, notBefore, development, acceptedUntil }) => ({
    id,
    key: new Secret(Buffer.from(key, 'base64')),
    notBefore: Date.parse(notBefore),
    development,
    ...(acceptedUntil !== undefined && acceptedUntil !== null && { acceptedUntil: Date.parse(acceptedUntil) }),
  }));
};

const faultOf = (name: KeyFileName, { key }: KeyFileEntry): string | undefined => {
  const bytes = Buffer.from(key, 'base64');
  if (name === 'openid')
    return isSigningPair(bytes) ? undefined : 'key must be the base64 of a JWK Set of two private keys, RSA of 2048 bits and P-256';
  return bytes.length === 32 ? undefined : 'key must be the base64 of 32 bytes';
};

/** The content of the file of that name with one new key, marked as made for development. `key`: its bytes, by default random ones. */
export const newKeyFile = (name: KeyFileName, clock: Pick<Clock, 'now'>, randomness: Randomness, key?: Buffer): string => {
  const entry = newEntry(name, clock.now(), randomness);
  return `${JSON.stringify([{ ...entry, ...(key && { key: key.toString('base64') }), development: true }], null, 2)}\n`;
};

/** A new key, valid from that time on, in epoch milliseconds. */
export const newEntry = (name: KeyFileName, notBefore: number, randomness: Randomness): KeyFileEntry => ({
  id: randomness.bytes(4).toString('hex'),
  key: (name === 'openid' ? newSigningPair() : randomness.bytes(32)).toString('base64'),
  notBefore: new Date(notBefore).toISOString(),
  development: false,
});

const listOf = (content: string): readonly KeyFileEntry[] => {
  const list: unknown = parse(content);
  if (!Array.isArray(list) || list.length === 0) throw new Error('it must be a list of at least one key');
  return list.map((entry: object) => Object.assign(new KeyFileEntry(), entry));
};

const parse = (content: string): unknown => {
  try {
    return JSON.parse(content);
  } catch {
    throw new Error('it is not JSON');
  }
};
