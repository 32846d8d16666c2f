import { type Clock, KeyRing, type RingKey } from '#kernel';

import type { DatedKey } from './key-file.js';

/** The keys of one file, which may be replaced while the process runs. */
export class FileKeyRing extends KeyRing {
  #keys: readonly DatedKey[] = [];
  #reading: Promise<void> | undefined;

  constructor(
    keys: readonly DatedKey[],
    private readonly clock: Clock,
    /** Reads the file again and replaces the keys of the ring. Does not reject. */
    private readonly read: (ring: FileKeyRing) => Promise<void>,
  ) {
    super();
    this.replace(keys);
  }

  /** Throws when the `notBefore` of every key lies in the future. */
  replace(keys: readonly DatedKey[]): void {
    const newestFirst = keys.toSorted((a, b) => b.notBefore - a.notBefore);
    if (!newestFirst.some((key) => this.#isActive(key)))
      throw new Error('the notBefore of every key lies in the future; add a key that is active now');
    this.#keys = newestFirst;
  }

  override current(): DatedKey {
    const current = this.#keys.find((key) => this.#isActive(key));
    if (!current) throw new Error('the notBefore of every key lies in the future');
    return current;
  }

  override find(id: string): RingKey | undefined {
    return this.#keys.find((key) => key.id === id);
  }

  /** Every key of the file, the newest first; also those whose time has not come. */
  override all(): readonly DatedKey[] {
    return this.#keys;
  }

  /** Calls during one read share it. */
  override reread(): Promise<void> {
    this.#reading ??= this.read(this).finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  #isActive({ notBefore }: DatedKey): boolean {
    return notBefore <= this.clock.now();
  }
}
