import { type Clock, once, type Randomness, type SubjectKeys } from '#kernel';

import { FileKeyRing } from './file-key-ring.js';
import { FileSubjectKeys } from './file-subject-keys.js';
import { type KeyFileName, type RingName, RINGS } from './key-file-names.js';
import { type DatedKey, newKeyFile, parseKeyFile } from './key-file.js';

export interface MemoryKeysOptions {
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** The bytes of keys, by their file. Others are random. */
  readonly first: Readonly<Partial<Record<KeyFileName, Buffer>>>;
}

/** The keys of a process that keeps everything in its memory: made at its start, for development, and gone with it. */
export class MemoryKeys implements Disposable {
  readonly token: FileKeyRing;
  readonly pin: FileKeyRing;
  readonly data: FileKeyRing;
  readonly event: FileKeyRing;
  readonly checkpoint: FileKeyRing;
  readonly subject: SubjectKeys;
  readonly index: DatedKey;
  readonly openid: { all(): readonly DatedKey[] };

  constructor({ clock, randomness, first }: MemoryKeysOptions) {
    const now = clock.now();
    // All of them begin with the process, also one that is made later.
    const began = { now: () => now } as const;
    const newKey = (name: KeyFileName): readonly DatedKey[] => parseKeyFile(name, newKeyFile(name, began, randomness, first[name]));
    const newRing = (name: RingName): FileKeyRing => new FileKeyRing(newKey(name), clock, async () => undefined);
    this.token = newRing('token');
    this.pin = newRing('pin');
    this.data = newRing('data');
    this.event = newRing('event');
    this.checkpoint = newRing('checkpoint');
    this.subject = new FileSubjectKeys(newKey('subject'), clock);
    this.index = newKey('index')[0]!;
    // An RSA key takes a tenth of a second, and many sandboxes see no OpenID Connect.
    this.openid = { all: once(() => newKey('openid')) };
  }

  /** As {@link KeyDirectory.ages}. */
  ages(): readonly { readonly purpose: RingName; readonly since: number }[] {
    return RINGS.map((purpose) => ({ purpose, since: this[purpose].current().notBefore }));
  }

  /** Nothing is held open. */
  [Symbol.dispose](): void {}
}
