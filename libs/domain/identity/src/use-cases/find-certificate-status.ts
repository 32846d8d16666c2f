import type { Certificates } from '../repositories/certificates.js';
import type { Devices } from '../repositories/devices.js';
import type { Identities } from '../repositories/identities.js';
import type { FindDevice } from './find-device.js';

/** The status of a certificate for an OCSP responder (RFC 6960 §2.2). `at`: the time of the revocation, epoch milliseconds. */
export type CertificateStatus = { readonly status: 'good' | 'unknown' } | { readonly status: 'revoked'; readonly at: number };

/** Finds the status of a device's certificate, which is revoked together with the device or the person. */
export class FindCertificateStatus {
  constructor(
    private readonly certificates: Certificates,
    private readonly devices: Devices,
    private readonly identities: Identities,
    private readonly findDevice: FindDevice,
  ) {}

  /** `serial`: lower-case hex. */
  async execute(serial: string): Promise<CertificateStatus> {
    const certificate = await this.certificates.find(serial);
    if (!certificate) return { status: 'unknown' };
    if (certificate.type === 'CertificateRevoked') return { status: 'revoked', at: certificate.data.at };
    const device = await this.findDevice.execute(certificate.data.deviceId);
    if (!device) return { status: 'unknown' };
    if (device.status !== 'REVOKED') return { status: 'good' };
    const ends = [await this.devices.revokedAt(device.deviceId), await this.identities.erasedAt(device.identityId)].filter((at) => at !== undefined);
    // The certificate of a device that was never listed was never good.
    return { status: 'revoked', at: ends.length === 0 ? certificate.data.at : Math.min(...ends) };
  }
}
