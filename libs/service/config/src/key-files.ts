import { mkdir, open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { type Clock, hmac, type Randomness } from '#kernel';

import { KEY_FILES, type KeyFileName, type RingName, type SIGNING_RINGS } from './key-file-names.js';
import { type DatedKey, type KeyFileEntry, newEntry, parseKeyFile } from './key-file.js';
import { ClearKeyFiles, type KeySeal, KeySealProblem } from './key-seal.js';
import { giveToOwner } from './give-to-owner.js';
import { readOrCreateFile } from './read-or-create-file.js';

/** The state of a key. `next`: makes no values yet. `current`: makes new values. `former`: only checks values that it made before. */
export type KeyState = 'next' | 'current' | 'former';

export interface ListedKey {
  readonly file: KeyFileName;
  readonly id: string;
  /** Epoch milliseconds. */
  readonly notBefore: number;
  readonly state: KeyState;
  readonly development: boolean;
  /** A digest that tells keys apart and does not disclose them: 128 bits, base64url. */
  readonly fingerprint: string;
  /** Of a former subject key: until then clients may use its subjectIds. Epoch milliseconds. */
  readonly acceptedUntil?: number;
}

/** The change of a key file was refused; the message says why and what to do. */
export class KeyChangeRefused extends Error {}

/**
 * A new key makes values only after these seconds, so that every service has read it before. On Kubernetes an operator may copy the key from
 * a vault and a kubelet mounts it; each of them takes a minute or two.
 */
export const ROTATION_LEAD = 600;

/** The same of `openid.json`: relying parties keep a copy of the public keys, so a new one is published a day before it signs. */
const SIGNING_ROTATION_LEAD = 86_400;

export interface Tools {
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Default: in clear. */
  readonly seal?: KeySeal | undefined;
}

type Reading = Pick<Tools, 'clock' | 'seal'>;

/**
 * Makes the files that `directory` lacks, each with one key, readable by its owner alone. Answers the names of the new
 * files.
 */
export const generateKeyFiles = async (directory: string, { clock, randomness, seal }: Tools): Promise<readonly KeyFileName[]> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const made: KeyFileName[] = [];
  for (const name of KEY_FILES) {
    await readOrCreateFile(pathOf(directory, name), randomness, () => {
      made.push(name);
      return sealed(name, format([newEntry(name, clock.now(), randomness)]), seal);
    });
  }
  return made;
};

/** The keys of all key files in `directory`, the newest of each file first. Throws {@link KeyChangeRefused} for a file that is no key file. */
export const listKeys = async (directory: string, { clock, seal }: Reading): Promise<readonly ListedKey[]> => {
  const listed: ListedKey[] = [];
  for (const file of KEY_FILES) {
    const content = await contentOf(directory, file, seal);
    if (content !== undefined) listed.push(...statesOf(parse(directory, file, content), clock.now()).map((key) => ({ file, ...key })));
  }
  return listed;
};

/** Adds a key, which makes new values after {@link ROTATION_LEAD}, in `openid.json` after a day. Throws {@link KeyChangeRefused}. */
export const rotateKey = async (directory: string, file: KeyFileName, tools: Tools): Promise<ListedKey> => {
  const { clock, randomness, seal } = tools;
  const ring = ringOf(file);
  const entries = await entriesOf(directory, ring, seal);
  const states = statesOf(parse(directory, ring, format(entries)), clock.now());
  const waiting = states.find(({ state }) => state === 'next');
  if (waiting) throw new KeyChangeRefused(`${file}.json has a next key already (${waiting.id}), from ${new Date(waiting.notBefore).toISOString()}`);
  const lead = ring === 'openid' ? SIGNING_ROTATION_LEAD : ROTATION_LEAD;
  const entry = newEntry(ring, clock.now() + lead * 1000, randomness);
  await replaceKeyFile(directory, ring, [...entries, entry], seal);
  const added = (await listKeys(directory, tools)).find(({ file: name, id }) => name === file && id === entry.id);
  if (!added) throw new KeyChangeRefused(`${file}.json was changed by another process meanwhile: list the keys, and rotate again if need be`);
  return added;
};

/** Finds the key with this id and checks that the file allows its removal. Throws {@link KeyChangeRefused}. */
export const findRetirableKey = async (
  directory: string,
  file: KeyFileName,
  id: string,
  tools: Reading,
): Promise<ListedKey & { readonly successorSince: number }> => {
  const keys = (await listKeys(directory, tools)).filter((key) => key.file === retirable(file));
  const key = keys.find((one) => one.id === id);
  if (!key) throw new KeyChangeRefused(`${file}.json has no key ${id}`);
  if (key.state !== 'former') throw new KeyChangeRefused(`${id} in ${file}.json is the ${key.state} key; rotate first`);
  const successorSince = Math.min(
    ...keys.filter(({ notBefore, state }) => state !== 'next' && notBefore > key.notBefore).map(({ notBefore }) => notBefore),
  );
  return { ...key, successorSince };
};

/** Removes the key. Call it only when no stored value names the key any more. */
export const removeKey = async (directory: string, { file, id }: ListedKey, seal?: KeySeal): Promise<void> => {
  const entries = await entriesOf(directory, retirable(file), seal);
  await replaceKeyFile(
    directory,
    file,
    entries.filter((entry) => entry.id !== id),
    seal,
  );
};

const ringOf = (file: KeyFileName): RingName | (typeof SIGNING_RINGS)[number] => {
  if (file === 'subject')
    throw new KeyChangeRefused('a new key in subject.json migrates every account: name the time until which the former one is accepted');
  if (file === 'index') throw new KeyChangeRefused('the key in index.json cannot be rotated: reservations would not be found any more');
  return file;
};

const retirable = (file: KeyFileName): KeyFileName => {
  if (file === 'index') throw new KeyChangeRefused('the key in index.json cannot be retired: reservations would not be found any more');
  return file;
};

const pathOf = (directory: string, name: KeyFileName): string => join(directory, `${name}.json`);

/** The list of keys; undefined where there is no file. */
export const contentOf = async (directory: string, name: KeyFileName, seal: KeySeal = new ClearKeyFiles()): Promise<string | undefined> => {
  const content = await readFile(pathOf(directory, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new KeyChangeRefused(`${pathOf(directory, name)} cannot be read (${String(error.code)})`);
  });
  return content === undefined ? undefined : refusing(seal.unseal(name, content));
};

const sealed = (name: KeyFileName, keys: string, seal: KeySeal = new ClearKeyFiles()): Promise<string> => refusing(seal.seal(name, keys));

const refusing = <Result>(work: Promise<Result>): Promise<Result> =>
  work.catch((error: unknown) => {
    throw error instanceof KeySealProblem ? new KeyChangeRefused(error.message, { cause: error }) : error;
  });

const parse = (directory: string, name: KeyFileName, content: string): readonly DatedKey[] => {
  try {
    return parseKeyFile(name, content);
  } catch (error) {
    throw new KeyChangeRefused(`${pathOf(directory, name)} is not a valid key file: ${(error as Error).message}`);
  }
};

export const entriesOf = async (directory: string, name: KeyFileName, seal?: KeySeal): Promise<readonly KeyFileEntry[]> => {
  const content = await contentOf(directory, name, seal);
  if (content === undefined) throw new KeyChangeRefused(`there is no ${pathOf(directory, name)}: run keys generate`);
  parse(directory, name, content);
  return JSON.parse(content) as readonly KeyFileEntry[];
};

const statesOf = (keys: readonly DatedKey[], now: number): readonly Omit<ListedKey, 'file'>[] => {
  const newestFirst = keys.toSorted((a, b) => b.notBefore - a.notBefore);
  const current = newestFirst.find(({ notBefore }) => notBefore <= now);
  return newestFirst.map(({ id, key, notBefore, development, acceptedUntil }) => ({
    id,
    notBefore,
    development,
    ...(acceptedUntil !== undefined && { acceptedUntil }),
    state: notBefore > now ? 'next' : id === current?.id ? 'current' : 'former',
    fingerprint: fingerprintOf(key.reveal()),
  }));
};

const FINGERPRINT_BYTES = 16;

/** A digest that names a key and does not disclose it: 128 bits, base64url. */
export const fingerprintOf = (key: Buffer): string => hmac(key, 'key-fingerprint').subarray(0, FINGERPRINT_BYTES).toString('base64url');

const format = (entries: readonly KeyFileEntry[]): string => `${JSON.stringify(entries, null, 2)}\n`;

/** A service never reads half of a file, and a loss of power leaves the old or the new one. The new one has the owner and the mode of the old one. */
export const replaceKeyFile = async (directory: string, name: KeyFileName, entries: readonly KeyFileEntry[], seal?: KeySeal): Promise<void> =>
  replaceContent(directory, name, await sealed(name, format(entries), seal));

const replaceContent = async (directory: string, name: KeyFileName, content: string): Promise<void> => {
  const path = pathOf(directory, name);
  const draft = `${path}.${process.pid}.new`;
  {
    const former = await stat(path);
    await using file = await open(draft, 'w', 0o600);
    await file.chmod(former.mode & 0o777);
    await giveToOwner(file, former);
    await file.writeFile(content);
    await file.sync();
  }
  await rename(draft, path);
  await using folder = await open(directory, 'r');
  await folder.sync();
};
