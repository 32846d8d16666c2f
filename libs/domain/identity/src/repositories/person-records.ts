import type { DeviceId, IdentityId, Sealer } from '#kernel';
import { decideOnLast, lastEventOf, readLast, type StreamName, type Streams, StreamTombstoned, type UnitOfWork } from '#engines/event-store';

import { IdentityExists, IdentityNotFound } from '../domain/identity.errors.js';
import type { PersonalData } from '../domain/personal-data.js';
import { PERSONAL_DATA, personalDataStream, type PersonRecorded } from '../streams.js';

/** A certificate of a device's signing key. */
export type CertificateRecord = {
  /** Of the certificate, lower-case hex. Absent without a certificate. */
  readonly serial?: string;
  /** The end of the certificate, epoch milliseconds. Absent like the serial. */
  readonly notAfter?: number;
  /** Base64 DER. Absent, with the chain, of a device that was enrolled without a certificate. */
  readonly certificate?: string;
  /** Base64 DER, issuing CA first. */
  readonly certificateChain?: readonly string[];
};

/** The data of a device that names a person or was chosen by one. */
export type DeviceRecord = CertificateRecord & {
  readonly name: string;
  readonly platform: string;
  /** Replaced by renewals, and not ended at the last one. Signatures that were scanned before are completed with them; an erasure revokes them. */
  readonly earlierCertificates?: readonly CertificateRecord[];
};

export type PersonRecord = { readonly person: PersonalData; readonly devices: Readonly<Record<DeviceId, DeviceRecord>> };

const RECORD = lastEventOf<PersonRecorded>(PERSONAL_DATA);

/** The streams `identitydata-*`: the personal data, sealed. A stream shows its newest record only. */
export class PersonRecords {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly sealer: Sealer,
  ) {}

  /** Undefined for an identity that is unknown or erased. */
  async read(identityId: IdentityId): Promise<PersonRecord | undefined> {
    const stream = personalDataStream(identityId);
    return this.#opened((await readLast<PersonRecorded>(this.unitOfWork.store, stream)).last, stream);
  }

  /** Stores the first record of a person. Answers false when there is one already. Throws {@link IdentityExists} while the person is being erased. */
  async create(identityId: IdentityId, person: PersonalData): Promise<boolean> {
    const stream = personalDataStream(identityId);
    try {
      const { isAppended } = await decideOnLast(this.unitOfWork, { type: RECORD, stream }, async (last) => {
        if (last) return [];
        await PERSONAL_DATA.retain(this.unitOfWork.store, stream);
        return [this.#recorded({ person, devices: {} }, stream)];
      });
      return isAppended;
    } catch (error) {
      throw error instanceof StreamTombstoned ? new IdentityExists('identity is ERASED') : error;
    }
  }

  /**
   * Changes the newest record, within a work, unless `change` answers the same one. It is called again when another change came first. Throws {@link IdentityNotFound} for a person
   * without a record.
   */
  async change(identityId: IdentityId, change: (record: PersonRecord, streams: Streams) => PersonRecord | Promise<PersonRecord>): Promise<void> {
    const stream = personalDataStream(identityId);
    try {
      await decideOnLast(this.unitOfWork, { type: RECORD, stream }, async (last, streams) => {
        const record = this.#opened(last, stream);
        if (!record) throw new IdentityNotFound('no personal data');
        const changed = await change(record, streams);
        return changed === record ? [] : [this.#recorded(changed, stream)];
      });
    } catch (error) {
      throw error instanceof StreamTombstoned ? new IdentityNotFound('erased') : error;
    }
  }

  /** Erases the record permanently. May be repeated. */
  async erase(identityId: IdentityId): Promise<void> {
    const stream = personalDataStream(identityId);
    await PERSONAL_DATA.tombstone(this.unitOfWork.store, stream);
    this.unitOfWork.forget(stream);
  }

  #recorded(record: PersonRecord, stream: StreamName): PersonRecorded {
    return { type: 'PersonRecorded', data: { at: this.unitOfWork.clock.now(), sealed: this.sealer.seal(record, stream) } };
  }

  #opened(last: PersonRecorded | undefined, stream: StreamName): PersonRecord | undefined {
    return last && this.sealer.open<PersonRecord>(last.data.sealed, stream);
  }
}
