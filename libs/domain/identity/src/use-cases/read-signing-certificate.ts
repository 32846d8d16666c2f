import { type DeviceId, type IdentityId, InvalidRequest, sha256Base64url } from '#kernel';

import { DeviceNotFound } from '../domain/device.errors.js';
import type { CertificateRecord, PersonRecords } from '../repositories/person-records.js';

export interface SigningCertificate {
  /** DER. */
  readonly certificate: Buffer;
  /** DER, issuing CA first, root last. */
  readonly chain: readonly Buffer[];
}

export interface WantedCertificate {
  readonly identityId: IdentityId;
  readonly deviceId: DeviceId;
  /** Base64url of the SHA-256 of the certificate that the scan named. The device may have renewed it since. Absent: the newest certificate. */
  readonly certificateHash?: string | undefined;
}

/** The refusal of a phone that cannot sign before it is enrolled again. */
export const enrolAgain = (detail: string, reason: string): InvalidRequest => new InvalidRequest(detail, reason, { remedy: 'ENROL_AGAIN' });

export const WITHOUT_CERTIFICATE = [
  'This phone has no signing certificate, so it cannot sign. Enrol it again.',
  'device without a certificate',
] as const;

/** The certificate in a record; undefined of a device that was enrolled without one. */
export const signingCertificateIn = ({ certificate, certificateChain }: CertificateRecord): SigningCertificate | undefined =>
  certificate === undefined || !certificateChain
    ? undefined
    : { certificate: Buffer.from(certificate, 'base64'), chain: certificateChain.map((der) => Buffer.from(der, 'base64')) };

/** Reads the certificate of a device's signing key. It names the person and is stored with the personal data. */
export class ReadSigningCertificate {
  constructor(private readonly records: PersonRecords) {}

  /**
   * Also answers the newest certificate if the device has no certificate with the wanted hash. Throws {@link DeviceNotFound} when the person was erased, and
   * {@link InvalidRequest} for a device that was enrolled without a certificate.
   */
  async execute({ identityId, deviceId, certificateHash }: WantedCertificate): Promise<SigningCertificate> {
    const record = (await this.records.read(identityId))?.devices[deviceId];
    if (!record) throw new DeviceNotFound('the device has no record');
    const newest = signingCertificateIn(record);
    if (!newest) throw enrolAgain(...WITHOUT_CERTIFICATE);
    const earlier = certificateHash === undefined ? [] : (record.earlierCertificates ?? []).map(signingCertificateIn);
    return earlier.find((one) => one && sha256Base64url(one.certificate) === certificateHash) ?? newest;
  }
}
