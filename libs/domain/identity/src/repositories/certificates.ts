import type { Clock } from '#kernel';
import { decideAndAppend, type EventStore, type LastEvent, readLast, StreamTombstoned } from '#engines/event-store';

import { type CertificateEvent, CERTIFICATES, certificateStream, type IssuedCertificate } from '../streams.js';

/** The end of a certificate of which no end is recorded lies this long after its revocation, in milliseconds: no profile gives a person's certificate more than ten years. */
const LONGEST_VALIDITY = 10 * 366 * 86_400_000;

/** The time from which no verifier asks for the revocation any more, epoch milliseconds. */
export const endOfRevocation = ({ at, notAfter }: { readonly at: number; readonly notAfter?: number }): number => notAfter ?? at + LONGEST_VALIDITY;

/** The streams `certificate-*`: the state of a certificate by its serial number, for OCSP. Serials in lower-case hex. */
export class Certificates {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  /** The newest event of the certificate. Undefined for an unknown serial, and once an ended certificate is closed. */
  async find(serial: string): Promise<CertificateEvent | undefined> {
    return (await readLast<CertificateEvent>(this.store, certificateStream(serial))).last;
  }

  /** Records to which device the certificate belongs. Answers false when the certificate is revoked already. */
  async issue(serial: string, issued: IssuedCertificate): Promise<boolean> {
    const { loaded } = await this.#append(serial, (last) => (last ? [] : [{ type: 'CertificateIssued', data: issued }]));
    return loaded.last?.type !== 'CertificateRevoked';
  }

  /**
   * Records the revocation at `at` and erases the device from the stream, in that order; may be repeated, also after the certificate's end.
   * From that end on nothing is read of it any more, and {@link close} is to be called. `notAfter`: the end of a certificate that is not
   * recorded as issued, if it is known.
   */
  async revoke(serial: string, at: number, notAfter?: number): Promise<void> {
    const stream = certificateStream(serial);
    try {
      const { appended } = await this.#append(serial, (last) => {
        if (last?.type === 'CertificateRevoked') return [];
        const end = last?.data.notAfter ?? notAfter;
        return [{ type: 'CertificateRevoked', data: { at, ...(end !== undefined && { notAfter: end }) } }];
      });
      // The age counts from the append, so a repetition leaves it alone.
      const end = appended[0]?.data.notAfter;
      if (end !== undefined) await CERTIFICATES.retain(this.store, stream, { notAfter: end, now: this.clock.now() });
      await CERTIFICATES.truncateBeforeNewest(this.store, stream, 'CertificateRevoked');
    } catch (error) {
      if (!(error instanceof StreamTombstoned)) throw error; // the certificate has ended
    }
  }

  /** Erases a certificate that has ended, for ever: its status need not be told any more (RFC 5280 §3.3). May be repeated. */
  async close(serial: string): Promise<void> {
    await CERTIFICATES.tombstone(this.store, certificateStream(serial));
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
