import { type DeviceId, type IdentityId, InvalidRequest } from '#kernel';

import { DeviceNotFound } from '../domain/device.errors.js';
import type { PersonRecords } from '../repositories/person-records.js';

export interface SigningCertificate {
  /** DER. */
  readonly certificate: Buffer;
  /** DER, issuing CA first, root last. */
  readonly chain: readonly Buffer[];
}

/** Reads the certificate of a device's signing key. It names the person and is stored with the personal data. */
export class ReadSigningCertificate {
  constructor(private readonly records: PersonRecords) {}

  /** Throws {@link DeviceNotFound} when the person was erased, and {@link InvalidRequest} for a device that was enrolled without a certificate. */
  async execute({ identityId, deviceId }: { identityId: IdentityId; deviceId: DeviceId }): Promise<SigningCertificate> {
    const record = (await this.records.read(identityId))?.devices[deviceId];
    if (!record) throw new DeviceNotFound('the device has no record');
    const { certificate, certificateChain } = record;
    if (certificate === undefined || !certificateChain)
      throw new InvalidRequest('This phone has no signing certificate, so it cannot sign. Enrol it again.', 'device without a certificate');
    return { certificate: Buffer.from(certificate, 'base64'), chain: certificateChain.map((der) => Buffer.from(der, 'base64')) };
  }
}
