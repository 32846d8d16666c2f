import { fingerprintOf, InvalidSettings } from '#config';
import { type EventStore, EventStoreUnavailable, reserve, StreamRefused, streamName } from '#event-store';
import { type Clock, type DomainEvent } from '#kernel';

import type { PlatformKeys } from './platform.js';

/** The event of the streams `lastingkey-subject` and `lastingkey-index`. */
type LastingKeyEvent = DomainEvent<'KeyNoted', { readonly at: number; readonly keyId: string; readonly fingerprint: string }>;

const CONSEQUENCE = {
  subject: 'would give every person another subjectId',
  index: 'would find no reservation, so that the same person could register twice',
} as const;

/** The categories of streams that are found by a keyed hash; a client's name always has one. */
const RESERVATIONS = ['person', 'clientname', 'client'];
/** Milliseconds to look for the first one. */
const PATIENCE = 30_000;

/**
 * The keys that may never be exchanged. The first start notes them in the store; every later start compares them. The file's own id of a key would not do: two
 * files may give one id to two keys.
 */
export class KeysInUse {
  #checked: Promise<void> | undefined;

  constructor(
    private readonly store: EventStore,
    private readonly keys: Pick<PlatformKeys, 'subject' | 'index'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves when the store names these keys. A success is remembered; after a failure the next call asks the store again. Throws
   * {@link InvalidSettings} for other keys, and passes on the errors of the store.
   */
  check(): Promise<void> {
    this.#checked ??= this.#compare().catch((error: unknown) => {
      this.#checked = undefined;
      throw error;
    });
    return this.#checked;
  }

  async #compare(): Promise<void> {
    const problems = await this.#problemsOfFirstStart();
    for (const name of problems.length > 0 ? [] : (['subject', 'index'] as const)) {
      const [key, noted] = [this.keys[name], await this.#note(name).catch(ifRefused)];
      if (noted === undefined || noted.fingerprint === fingerprintOf(key.key.reveal())) continue;
      problems.push(
        `KEY_DIR: ${name}.json holds another key (${key.id}) than this store was begun with (${noted.keyId}), which ${CONSEQUENCE[name]}. Put the former ${name}.json back, from the copy that you keep apart from the data.`,
      );
    }
    if (problems.length > 0) throw new InvalidSettings(problems);
  }

  /**
   * A release before `index.json` made its reservations with the key of `subject.json` and noted no key. A new index.json beside such a store would be noted as the
   * right one, and every person could register twice.
   */
  async #problemsOfFirstStart(): Promise<string[]> {
    const { subject, index } = this.keys;
    if (fingerprintOf(subject.key.reveal()) === fingerprintOf(index.key.reveal())) return [];
    const isNoted = (): Promise<boolean> => this.store.exists(streamName('lastingkey', 'index'));
    // A service that starts beside this one may note the key and make a reservation between the two questions.
    if ((await isNoted()) || !(await this.#hasReservations()) || (await isNoted())) return [];
    return [
      `KEY_DIR: index.json holds a new key (${index.id}), and the store has reservations of persons or clients under the key of subject.json, which would not be found any more. Remove index.json, or copy subject.json over it: this installation goes on with one key for both.`,
    ];
  }

  async #hasReservations(): Promise<boolean> {
    const ended = AbortSignal.timeout(PATIENCE);
    const left = new AbortController();
    try {
      for await (const item of this.store.subscribe({ categories: RESERVATIONS, signal: AbortSignal.any([ended, left.signal]) }))
        return item !== 'caught-up';
    } finally {
      left.abort();
    }
    throw new EventStoreUnavailable('the store did not tell in time whether it has reservations');
  }

  async #note(name: 'subject' | 'index'): Promise<LastingKeyEvent['data']> {
    const { store, clock } = this;
    const key = this.keys[name];
    const data = { at: clock.now(), keyId: key.id, fingerprint: fingerprintOf(key.key.reveal()) };
    return (await reserve<LastingKeyEvent>({ store, clock }, streamName('lastingkey', name), { type: 'KeyNoted', data })).data;
  }
}

/** Another party wrote to the stream, or the service runs in another environment. The store has raised its alarm; no other stream is held back for that. */
const ifRefused = (error: unknown): undefined => {
  if (!(error instanceof StreamRefused)) throw error;
};
