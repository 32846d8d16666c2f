import { type Clock, KeyRing, type RingKey } from '#kernel';

import type { DatedKey } from './key-file.js';

/** The keys of one file, which may be replaced while the process runs. */
export class FileKeyRing extends KeyRing {
  #keys: readonly DatedKey[] = [];

  constructor(
    keys: readonly DatedKey[],
    private readonly clock: Clock,
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

  override current(): RingKey {
    const current = this.#keys.find((key) => this.#isActive(key));
    if (!current) throw new Error('the notBefore of every key lies in the future');
    return current;
  }

  override find(id: string): RingKey | undefined {
    return this.#keys.find((key) => key.id === id);
  }

  #isActive({ notBefore }: DatedKey): boolean {
    return notBefore <= this.clock.now();
  }
}
