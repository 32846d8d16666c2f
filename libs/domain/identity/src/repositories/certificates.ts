import { decideOnLast, lastEventOf, readLast, StreamTombstoned, type UnitOfWork } from '#engines/event-store';

import { type CertificateEvent, CERTIFICATES, certificateStream, type HeldCertificate } from '../streams.js';

/** The end of a certificate of which no end is recorded lies this long after its revocation, in milliseconds: no profile gives a person's certificate more than ten years. */
const LONGEST_VALIDITY = 10 * 366 * 86_400_000;

/** The time from which no verifier asks for the revocation any more, epoch milliseconds. */
export const endOfRevocation = ({ at, notAfter }: { readonly at: number; readonly notAfter?: number }): number => notAfter ?? at + LONGEST_VALIDITY;

const CERTIFICATE = lastEventOf<CertificateEvent>(CERTIFICATES);

/** The streams `certificate-*`: the state of a certificate by its serial number, for OCSP. Serials in lower-case hex. */
export class Certificates {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The newest event of the certificate. Undefined for an unknown serial, and once an ended certificate is closed. */
  async find(serial: string): Promise<CertificateEvent | undefined> {
    return (await readLast<CertificateEvent>(this.unitOfWork.store, certificateStream(serial))).last;
  }

  /** Records to which device the certificate belongs. Answers false when the certificate is revoked already. */
  async issue(serial: string, issued: HeldCertificate): Promise<boolean> {
    const { last } = await this.#decide(serial, (known) => (known ? [] : [{ type: 'CertificateIssued', data: issued }]));
    return last?.type !== 'CertificateRevoked';
  }

  /**
   * Records the revocation at `at` and erases the device from the stream, in that order; may be repeated, also after the certificate's end.
   * From that end on nothing is read of it any more, and {@link close} is to be called. `notAfter`: the end of a certificate that is not
   * recorded as issued, if it is known.
   */
  async revoke(serial: string, at: number, notAfter?: number): Promise<void> {
    const stream = certificateStream(serial);
    try {
      const { store, clock } = this.unitOfWork;
      const { last: revoked, isAppended } = await this.#decide(serial, (last) => {
        if (last?.type === 'CertificateRevoked') return [];
        const end = last?.data.notAfter ?? notAfter;
        return [{ type: 'CertificateRevoked', data: { at, ...(end !== undefined && { notAfter: end }) } }];
      });
      // The age counts from the append, so a repetition leaves it alone.
      const end = isAppended ? revoked?.data.notAfter : undefined;
      if (end !== undefined) await CERTIFICATES.retain(store, stream, { notAfter: end, now: clock.now() });
      await CERTIFICATES.truncateBeforeNewest(store, stream, 'CertificateRevoked');
    } catch (error) {
      if (!(error instanceof StreamTombstoned)) throw error; // the certificate has ended
    }
  }

  /** Erases a certificate that has ended, for ever: its status need not be told any more (RFC 5280 §3.3). May be repeated. */
  async close(serial: string): Promise<void> {
    await CERTIFICATES.tombstone(this.unitOfWork.store, certificateStream(serial));
  }

  #decide(serial: string, decide: (last: CertificateEvent | undefined) => readonly CertificateEvent[]) {
    return decideOnLast(this.unitOfWork, { type: CERTIFICATE, stream: certificateStream(serial) }, decide);
  }
}
