import type { Clock, DeviceId, IdentityId, Randomness, Sealer } from '#kernel';
import { EventIds, type EventStore, NO_STREAM, StreamTombstoned, WrongExpectedRevision } from '#event-store';

import { IdentityNotFound } from '../domain/identity.errors.js';
import type { PersonalData } from '../domain/personal-data.js';
import { personalDataStream } from './streams.js';

/** What names a person or was chosen by one, of a device. */
export type DeviceRecord = {
  readonly name: string;
  readonly platform: string;
  /** Base64 DER. */
  readonly certificate: string;
  /** Base64 DER, issuing CA first. */
  readonly certificateChain: readonly string[];
};

export type PersonRecord = { readonly person: PersonalData; readonly devices: Readonly<Record<DeviceId, DeviceRecord>> };

/** The streams `identitydata-*`: the only place with personal data, sealed, and only the newest state of it. */
export class PersonRecords {
  constructor(
    private readonly store: EventStore,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Undefined for an identity that is unknown or erased. */
  async read(identityId: IdentityId): Promise<PersonRecord | undefined> {
    return (await this.#load(identityId)).record;
  }

  /** Changes the record as it stands, whoever else is changing it. Throws {@link IdentityNotFound} for an erased person. */
  async change(identityId: IdentityId, change: (record: PersonRecord | undefined) => PersonRecord): Promise<void> {
    const stream = personalDataStream(identityId);
    const ids = new EventIds(this.randomness);
    for (;;) {
      const { record, revision } = await this.#load(identityId);
      const sealed = this.sealer.seal(change(record), stream);
      try {
        if (revision === NO_STREAM) await this.store.setRetention(stream, { maxCount: 1 });
        await this.store.append(stream, revision, [{ type: 'PersonRecorded', data: { at: this.clock.now(), sealed }, id: ids.next(stream) }]);
        return;
      } catch (error) {
        if (error instanceof StreamTombstoned) throw new IdentityNotFound('erased');
        if (!(error instanceof WrongExpectedRevision)) throw error;
      }
    }
  }

  /** Erases the record for ever. */
  async erase(identityId: IdentityId): Promise<void> {
    await this.store.tombstone(personalDataStream(identityId));
  }

  async #load(identityId: IdentityId) {
    const stream = personalDataStream(identityId);
    const last = (await this.store.read(stream)).at(-1);
    if (!last) return { record: undefined, revision: NO_STREAM } as const;
    return { record: this.sealer.open<PersonRecord>((last.data as { sealed: string }).sealed, stream), revision: last.revision };
  }
}
