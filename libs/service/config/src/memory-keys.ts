import type { Clock, KeyRing, Randomness, SubjectKeys } from '#kernel';

import { FileKeyRing } from './file-key-ring.js';
import { FileSubjectKeys } from './file-subject-keys.js';
import { type KeyFileName, type RingName, RINGS } from './key-file-names.js';
import { type DatedKey, newKeyFile, parseKeyFile } from './key-file.js';

/** The keys of a process that keeps everything in its memory: made at its start, for development, and gone with it. */
export class MemoryKeys implements Disposable {
  readonly token: KeyRing;
  readonly pin: KeyRing;
  readonly data: KeyRing;
  readonly event: KeyRing;
  readonly checkpoint: KeyRing;
  readonly subject: SubjectKeys;
  readonly index: DatedKey;
  readonly openid: FileKeyRing;
  readonly #made: number;

  constructor(clock: Clock, randomness: Randomness) {
    this.#made = clock.now();
    const newKey = (name: KeyFileName): readonly DatedKey[] => parseKeyFile(name, newKeyFile(name, clock, randomness));
    const newRing = (name: RingName | 'openid'): FileKeyRing => new FileKeyRing(newKey(name), clock, async () => undefined);
    this.token = newRing('token');
    this.pin = newRing('pin');
    this.data = newRing('data');
    this.event = newRing('event');
    this.checkpoint = newRing('checkpoint');
    this.subject = new FileSubjectKeys(newKey('subject'), clock);
    this.index = newKey('index')[0]!;
    this.openid = newRing('openid');
  }

  /** As {@link KeyDirectory.ages}. */
  ages(): readonly { readonly purpose: RingName; readonly since: number }[] {
    return RINGS.map((purpose) => ({ purpose, since: this.#made }));
  }

  /** Nothing is held open. */
  [Symbol.dispose](): void {}
}
