import { access, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { Clock, KeyRing, Randomness, SubjectKeys } from '#kernel';
import type { Log } from '#telemetry';

import { GUARDED } from './environment.js';
import { FileKeyRing } from './file-key-ring.js';
import { FileSubjectKeys } from './file-subject-keys.js';
import { type KeyFileName, type RingName, RINGS, type SIGNING_RINGS } from './key-file-names.js';
import { type DatedKey, newKeyFile, parseKeyFile } from './key-file.js';
import { ClearKeyFiles, type KeySeal, KeySealProblem } from './key-seal.js';
import { readOrCreateFile } from './read-or-create-file.js';
import { InvalidSettings } from './load-settings.js';
import { WatchedFile } from './watched-file.js';

/** Milliseconds between two reads of the files. */
const REREAD = 10_000;

export interface KeyDirectoryOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  /** Refuses keys made for development and makes no keys. */
  readonly guarded: boolean;
  /** Default: in clear. */
  readonly seal?: KeySeal | undefined;
  /** The bytes of keys that are made here, by their file. Default: random ones. */
  readonly first?: Readonly<Partial<Record<KeyFileName, Buffer>>>;
  /** Called for each purpose at the start and after each read of the files. `since`: the key in use is valid from then on, epoch milliseconds. */
  readonly inUse?: (purpose: KeyFileName, since: number) => void;
}

/** The key files of `KEY_DIR`. The first start creates missing files, except in a guarded environment. Changes apply within ten seconds. */
export class KeyDirectory implements Disposable {
  readonly #timer: NodeJS.Timeout;
  readonly #subjectFile: WatchedFile;

  private constructor(
    private readonly options: KeyDirectoryOptions,
    private readonly rings: Readonly<Record<RingName, FileKeyRing>>,
    private readonly subjectKeys: FileSubjectKeys,
    /** Signs ID tokens. Undefined in a guarded environment that has no `openid.json`: it offers no OpenID Connect. */
    readonly openid: FileKeyRing | undefined,
    /** Makes the names of reservations and every other keyed hash. Records made under this key are not found by another one. */
    readonly index: DatedKey,
  ) {
    this.#timer = setInterval(() => void this.reread(), REREAD).unref();
    this.#subjectFile = new WatchedFile(file('subject', options));
    this.#tellAges();
  }

  /** Throws {@link InvalidSettings} that names the setting and each file with a problem. */
  static async open(options: KeyDirectoryOptions): Promise<KeyDirectory> {
    const problems: string[] = [];
    const collectProblems = <T>(attempt: Promise<T>): Promise<T | undefined> =>
      attempt.catch((error: unknown) => {
        if (!(error instanceof InvalidSettings)) throw error;
        problems.push(...error.problems);
        return undefined;
      });
    const token = await collectProblems(openRing('token', options));
    const pin = await collectProblems(openRing('pin', options));
    const data = await collectProblems(openRing('data', options));
    const event = await collectProblems(openRing('event', options));
    const checkpoint = await collectProblems(openRing('checkpoint', options));
    const index = await collectProblems(openIndexKey(options));
    const subject = await collectProblems(openSubjectKeys(options));
    const openid = await collectProblems(openSigningRing(options));
    if (!token || !pin || !data || !event || !checkpoint || !index || !subject || problems.length > 0)
      throw new InvalidSettings([...new Set(problems)]);
    return new KeyDirectory(options, { token, pin, data, event, checkpoint }, subject, openid, index);
  }

  /** Makes subjectIds and nothing else. Another key gives every person another subjectId. */
  get subject(): SubjectKeys {
    return this.subjectKeys;
  }

  get token(): KeyRing {
    return this.rings.token;
  }

  get pin(): KeyRing {
    return this.rings.pin;
  }

  get data(): KeyRing {
    return this.rings.data;
  }

  get event(): KeyRing {
    return this.rings.event;
  }

  get checkpoint(): KeyRing {
    return this.rings.checkpoint;
  }

  /** Applies changed files. A file that is now invalid leaves its ring unchanged. */
  async reread(): Promise<void> {
    await Promise.all([...RINGS.map((name) => this.rings[name].reread()), this.openid?.reread(), this.#rereadSubjectKeys()]);
    this.#tellAges();
  }

  /** For each purpose, the time from which the key in use is valid. Epoch milliseconds. */
  ages(): readonly { readonly purpose: RingName; readonly since: number }[] {
    return RINGS.map((purpose) => ({ purpose, since: this.rings[purpose].current().notBefore }));
  }

  #tellAges(): void {
    const { inUse } = this.options;
    for (const { purpose, since } of this.ages()) inUse?.(purpose, since);
    inUse?.('subject', this.subjectKeys.current().notBefore);
    inUse?.('index', this.index.notBefore);
    if (this.openid) inUse?.('openid', this.openid.current().notBefore);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #rereadSubjectKeys(): Promise<void> {
    return readAgain(this.subjectKeys, 'subject', { ...this.options, watched: this.#subjectFile });
  }
}

const openSigningRing = async (options: KeyDirectoryOptions): Promise<FileKeyRing | undefined> => {
  const isAbsent = await access(file('openid', options)).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
  return options.guarded && isAbsent ? undefined : openRing('openid', options);
};

const openRing = async (name: RingName | (typeof SIGNING_RINGS)[number], options: KeyDirectoryOptions): Promise<FileKeyRing> => {
  const keys = await keysOf(name, options);
  const watched = new WatchedFile(file(name, options));
  return checked(name, options, () => new FileKeyRing(keys, options.clock, (ring) => readAgain(ring, name, { ...options, watched })));
};

/** Applies the file if it may have changed. */
const readAgain = async (
  keys: Pick<FileKeyRing | FileSubjectKeys, 'replace'>,
  name: KeyFileName,
  options: KeyDirectoryOptions & { readonly watched: WatchedFile },
): Promise<void> => {
  const { watched, log } = options;
  if (!(await watched.mayHaveChanged())) return;
  try {
    keys.replace(await parse(name, await readFile(file(name, options), 'utf8'), options));
  } catch (error) {
    watched.forget();
    log.error('a changed key file is invalid; its former keys stay in use', { component: `${name}.json`, error });
  }
};

const openIndexKey = async (options: KeyDirectoryOptions): Promise<DatedKey> => {
  const keys = await keysOf('index', options);
  const [key] = keys;
  if (!key || keys.length > 1)
    throw new InvalidSettings([
      `KEY_DIR: ${file('index', options)} must hold exactly one key, since another key would find no reservation. Remove the others.`,
    ]);
  return key;
};

const openSubjectKeys = async (options: KeyDirectoryOptions): Promise<FileSubjectKeys> => {
  const keys = await keysOf('subject', options);
  return checked('subject', options, () => new FileSubjectKeys(keys, options.clock));
};

const keysOf = async (name: KeyFileName, options: KeyDirectoryOptions): Promise<readonly DatedKey[]> => {
  const path = file(name, options);
  const content = options.guarded
    ? await readFile(path, 'utf8').catch(() => undefined)
    : await readOrCreateFile(path, options.randomness, () =>
        sealOf(options).seal(name, newKeyFile(name, options.clock, options.randomness, options.first?.[name])),
      ).catch(asSettings);
  if (content === undefined)
    throw new InvalidSettings([
      `KEY_DIR: ${path} cannot be read, and no key is made, ${GUARDED}. Run npm run cli -- keys generate (docs/operator.md).`,
    ]);
  if (options.guarded) await refuseForeignReaders(path);
  return parse(name, content, options);
};

/** Throws {@link InvalidSettings} for a file that every user of the machine may read or write. */
const refuseForeignReaders = async (path: string): Promise<void> => {
  const mode = (await stat(path)).mode & 0o777;
  if ((mode & 0o007) === 0) return;
  const octal = mode.toString(8).padStart(4, '0');
  throw new InvalidSettings([
    `KEY_DIR: every user of the machine has access to ${path} (mode ${octal}). Run chmod 600 on it; for a secret in Kubernetes set defaultMode: 0440.`,
  ]);
};

const parse = async (name: KeyFileName, content: string, options: KeyDirectoryOptions): Promise<readonly DatedKey[]> => {
  const clear = await sealOf(options).unseal(name, content).catch(asSettings);
  return checked(name, options, () => {
    const keys = parseKeyFile(name, clear);
    if (options.guarded && keys.some(({ development }) => development))
      throw new Error(`it holds a key that is marked as made for development, which is refused, ${GUARDED}; replace it by a key of your own`);
    return keys;
  });
};

const sealOf = ({ seal = new ClearKeyFiles() }: KeyDirectoryOptions): KeySeal => seal;

const asSettings = (error: unknown): never => {
  throw error instanceof KeySealProblem ? new InvalidSettings([error.message]) : error;
};

const file = (name: string, { path }: KeyDirectoryOptions): string => join(path, `${name}.json`);

const checked = <T>(name: string, options: KeyDirectoryOptions, attempt: () => T): T => {
  try {
    return attempt();
  } catch (error) {
    throw new InvalidSettings([
      `KEY_DIR: ${file(name, options)} is not a valid key file: ${(error as Error).message}. Correct it (docs/configuration.md).`,
    ]);
  }
};
