import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Clock, KeyRing, Randomness, RingKey } from '#kernel';
import type { Log } from '#telemetry';

import { FileKeyRing } from './file-key-ring.js';
import { type DatedKey, newKeyFile, parseKeyFile } from './key-file.js';
import { keptFile } from './kept-file.js';
import { InvalidSettings } from './load-settings.js';

const RINGS = ['token', 'pin', 'data'] as const;
type RingName = (typeof RINGS)[number];

/** Milliseconds between two looks at the files. */
const REREAD = 10_000;

export interface KeyDirectoryOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  /** Refuses keys made for development, and makes none. */
  readonly production: boolean;
}

/** The key files of KEY_DIR. What is missing is made on the first start; what is changed is taken over within ten seconds. */
export class KeyDirectory implements Disposable {
  readonly #timer: NodeJS.Timeout;

  private constructor(
    private readonly options: KeyDirectoryOptions,
    private readonly rings: Readonly<Record<RingName, FileKeyRing>>,
    /** One key for ever: another one would give every person another subjectId. */
    readonly subject: RingKey,
  ) {
    this.#timer = setInterval(() => void this.reread(), REREAD).unref();
  }

  /** Throws {@link InvalidSettings} that name the file and what is wrong with it. */
  static async open(options: KeyDirectoryOptions): Promise<KeyDirectory> {
    const [token, pin, data] = await Promise.all(RINGS.map(async (name) => openRing(name, options)));
    const subject = await keysOf('subject', options);
    if (subject.length !== 1 || !subject[0]) throw new InvalidSettings([`${file('subject', options)} must hold exactly one key; another one would change every subjectId.`]);
    return new KeyDirectory(options, { token: token as FileKeyRing, pin: pin as FileKeyRing, data: data as FileKeyRing }, subject[0]);
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

  /** Takes over what has changed. A file that is wrong now leaves its ring as it was. */
  async reread(): Promise<void> {
    for (const name of RINGS) {
      try {
        this.rings[name].replace(parse(name, await readFile(file(name, this.options), 'utf8'), this.options));
      } catch (error) {
        this.options.log.error('a key file cannot be taken over', { component: `${name}.json`, error });
      }
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

const openRing = async (name: RingName, options: KeyDirectoryOptions): Promise<FileKeyRing> => {
  const keys = await keysOf(name, options);
  return wrong(name, options, () => new FileKeyRing(keys, options.clock));
};

const keysOf = async (name: string, options: KeyDirectoryOptions): Promise<readonly DatedKey[]> => {
  const path = file(name, options);
  const content = options.production
    ? await readFile(path, 'utf8').catch(() => undefined)
    : await keptFile(path, options.randomness, () => newKeyFile(options.clock, options.randomness));
  if (content === undefined) throw new InvalidSettings([`${path} cannot be read: production makes no keys, mount yours into KEY_DIR (docs/configuration.md).`]);
  return parse(name, content, options);
};

const parse = (name: string, content: string, options: KeyDirectoryOptions): readonly DatedKey[] =>
  wrong(name, options, () => {
    const keys = parseKeyFile(content);
    if (options.production && keys.some(({ development }) => development)) throw new Error('it holds a key made for development, which production refuses');
    return keys;
  });

const file = (name: string, { path }: KeyDirectoryOptions): string => join(path, `${name}.json`);

const wrong = <T>(name: string, options: KeyDirectoryOptions, attempt: () => T): T => {
  try {
    return attempt();
  } catch (error) {
    throw new InvalidSettings([`${file(name, options)} is not a key file: ${(error as Error).message}.`]);
  }
};
