import { type Clock, type RingKey, SubjectKeys, type SubjectMigration } from '#kernel';

import type { DatedKey } from './key-file.js';

/** The keys of subject.json, which may be replaced while the process runs. */
export class FileSubjectKeys extends SubjectKeys {
  #oldestFirst: readonly [DatedKey, ...DatedKey[]];

  /** Throws for keys that are neither one nor a former key and its successor. */
  constructor(
    keys: readonly DatedKey[],
    private readonly clock: Clock,
  ) {
    super();
    this.#oldestFirst = checked(keys);
  }

  /** Throws like the constructor. Throws too when `keys` lacks the key that makes values now: its accounts could not migrate. */
  replace(keys: readonly DatedKey[]): void {
    const replaced = checked(keys);
    const current = this.current();
    if (!replaced.some(({ key }) => key.reveal().equals(current.key.reveal())))
      throw new Error(`it lacks the key ${current.id}, which makes the subjectIds now`);
    this.#oldestFirst = replaced;
  }

  override current(): DatedKey {
    const [oldest, newest = oldest] = this.#oldestFirst;
    return newest.notBefore <= this.clock.now() ? newest : oldest;
  }

  override accepted(): readonly RingKey[] {
    return this.#oldestFirst.filter(({ acceptedUntil }) => acceptedUntil === undefined || this.clock.now() < acceptedUntil);
  }

  override all(): readonly RingKey[] {
    return this.#oldestFirst;
  }

  override migration(): SubjectMigration | undefined {
    const [former, next] = this.#oldestFirst;
    if (!next || former.acceptedUntil === undefined || this.clock.now() >= former.acceptedUntil) return undefined;
    return { former, next, changesAt: next.notBefore, endsAt: former.acceptedUntil };
  }
}

const checked = (keys: readonly DatedKey[]): readonly [DatedKey, ...DatedKey[]] => {
  const [first, second, ...others] = keys.toSorted((a, b) => a.notBefore - b.notBefore);
  if (!first || others.length > 0 || (second && first.acceptedUntil === undefined))
    throw new Error('it must hold exactly one key, and a second one only while accounts migrate, as keys rotate subject writes it');
  if (!second) return [first];
  if (second.acceptedUntil !== undefined) throw new Error('acceptedUntil belongs to the former key alone');
  if ((first.acceptedUntil ?? 0) <= second.notBefore) throw new Error('acceptedUntil must be later than the notBefore of the next key');
  if (first.key.reveal().equals(second.key.reveal())) throw new Error('both keys are the same');
  return [first, second];
};
