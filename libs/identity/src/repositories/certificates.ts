import type { Clock, DeviceId, DomainEvent } from '#kernel';
import { decideAndAppend, type EventStore, type LastEvent, readLast, truncateBeforeNewest } from '#event-store';

import { certificateStream } from './streams.js';

/** Times in epoch milliseconds. */
export type IssuedCertificate = { readonly at: number; readonly deviceId: DeviceId; readonly notAfter: number };

/** The events of the stream `certificate-<serial>`. */
export type CertificateEvent =
  | DomainEvent<'CertificateIssued', IssuedCertificate>
  /** The person was erased: the revocation outlives the device. Holds nothing but times. */
  | DomainEvent<'CertificateRevoked', { readonly at: number }>;

/** The streams `certificate-*`: the state of a certificate by its serial number, for OCSP. Serials in lower-case hex. */
export class Certificates {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  /** The newest event of the certificate. Undefined for an unknown serial, and once a revoked certificate has ended. */
  async find(serial: string): Promise<CertificateEvent | undefined> {
    return (await readLast<CertificateEvent>(this.store, certificateStream(serial))).last;
  }

  /** Records to which device the certificate belongs. Answers false when the certificate is revoked already. */
  async issue(serial: string, issued: IssuedCertificate): Promise<boolean> {
    const { loaded } = await this.#append(serial, (last) => (last ? [] : [{ type: 'CertificateIssued', data: issued }]));
    return loaded.last?.type !== 'CertificateRevoked';
  }

  /**
   * Records the revocation at `at` and erases the device from the stream, in that order; may be repeated. From the end of
   * the certificate on nothing is read of it any more.
   */
  async revoke(serial: string, at: number): Promise<void> {
    const stream = certificateStream(serial);
    const issued = await this.find(serial);
    await this.#append(serial, (last) => (last?.type === 'CertificateRevoked' ? [] : [{ type: 'CertificateRevoked', data: { at } }]));
    if (issued?.type === 'CertificateIssued') {
      const maxAge = Math.ceil((issued.data.notAfter - this.clock.now()) / 1000);
      await this.store.setRetention(stream, { maxAge: Math.max(1, maxAge) });
    }
    await truncateBeforeNewest(this.store, stream, 'CertificateRevoked');
  }

  #append(serial: string, decide: (last: CertificateEvent | undefined) => readonly CertificateEvent[]) {
    const { store, clock } = this;
    const stream = certificateStream(serial);
    return decideAndAppend<LastEvent<CertificateEvent>, CertificateEvent>({ store, clock }, stream, {
      load: (conflict) => readLast<CertificateEvent>(store, stream, conflict),
      decide: ({ last }) => decide(last),
    });
  }
}
