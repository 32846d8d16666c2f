import { fingerprintOf, InvalidSettings } from '#service/config';
import { decideAndAppend, type EventStore, type LastEvent, readLast, StreamRefused } from '#engines/event-store';
import type { Clock, RingKey } from '#kernel';

import type { PlatformKeys } from './platform-parts.js';
import { LASTING_KEYS, type LastingKeyEvent } from './streams.js';

const CONSEQUENCE = {
  subject: 'would give every person another subjectId',
  index: 'would find no reservation, so that the same person could register twice',
} as const;

/**
 * The keys that may not be exchanged. The first start notes them in the store; every later start compares them. The file's own id of a key would not do: two
 * files may give one id to two keys. A new subject key is noted when it begins to make subjectIds, if subject.json still holds the one that was noted before.
 */
export class KeysInUse {
  #checked: { readonly subjectKey: RingKey; readonly result: Promise<void> } | undefined;

  constructor(
    private readonly store: EventStore,
    private readonly keys: Pick<PlatformKeys, 'subject' | 'index'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves when the store names these keys. A success is remembered until the next subject key begins; after a failure the next call asks the store again. Throws
   * {@link InvalidSettings} for other keys, and passes on the errors of the store.
   */
  check(): Promise<void> {
    const subjectKey = this.keys.subject.current();
    if (!this.#checked?.subjectKey.key.reveal().equals(subjectKey.key.reveal())) {
      const result = this.#compare().catch((error: unknown) => {
        this.#checked = undefined;
        throw error;
      });
      this.#checked = { subjectKey, result };
    }
    return this.#checked.result;
  }

  async #compare(): Promise<void> {
    const problems: string[] = [];
    const { subject, index } = this.keys;
    const compared = [
      { name: 'subject', key: subject.current(), known: subject.all(), noted: await this.#noteSubject().catch(ifRefused) },
      { name: 'index', key: index, known: [index], noted: await this.#noteIndex().catch(ifRefused) },
    ] as const;
    for (const { name, key, known, noted } of compared) {
      if (noted === undefined || known.some((one) => fingerprintOf(one.key.reveal()) === noted.fingerprint)) continue;
      problems.push(
        `KEY_DIR: ${name}.json holds another key (${key.id}) than this store was begun with (${noted.keyId}), which ${CONSEQUENCE[name]}. Put the former ${name}.json back, from the copy that you keep apart from the data.`,
      );
    }
    if (problems.length > 0) throw new InvalidSettings(problems);
  }

  #noteIndex(): Promise<LastingKeyEvent['data']> {
    return this.#note('index', this.keys.index, () => false);
  }

  /** The newest noted key, which is the present one unless the file lacks it, or another process has noted a later key already. */
  #noteSubject(): Promise<LastingKeyEvent['data']> {
    const current = this.keys.subject.current();
    const placeOf = (fingerprint: string): number => this.keys.subject.all().findIndex(({ key }) => fingerprintOf(key.reveal()) === fingerprint);
    const place = placeOf(fingerprintOf(current.key.reveal()));
    return this.#note('subject', current, (noted) => placeOf(noted) >= 0 && placeOf(noted) < place);
  }

  /** Notes the key where none is noted, or one that it follows. Below the unit of work: until the keys agree, no work stores anything. */
  async #note(name: string, key: RingKey, isFollowed: (noted: string) => boolean): Promise<LastingKeyEvent['data']> {
    const { store, clock } = this;
    const [stream, note] = [LASTING_KEYS.of(name), this.#noteOf(key)];
    const { loaded, appended } = await decideAndAppend<LastEvent<LastingKeyEvent>, LastingKeyEvent>({ store, clock }, stream, {
      load: (conflict) => readLast<LastingKeyEvent>(store, stream, conflict),
      decide: ({ last }) => (last && !isFollowed(last.data.fingerprint) ? [] : [note]),
    });
    return (appended[0] ?? loaded.last ?? note).data;
  }

  #noteOf({ id, key }: RingKey): LastingKeyEvent {
    return { type: 'KeyNoted', data: { at: this.clock.now(), keyId: id, fingerprint: fingerprintOf(key.reveal()) } };
  }
}

/** Another party wrote to the stream. The store has raised its alarm; no other stream is held back for that. */
const ifRefused = (error: unknown): undefined => {
  if (!(error instanceof StreamRefused)) throw error;
};
