import type { DeviceId, IdentityId } from '#kernel';

import { DeviceNotFound } from '../domain/device.errors.js';
import type { PersonRecords } from './person-records.js';

export interface SigningCertificate {
  /** DER. */
  readonly certificate: Buffer;
  /** DER, issuing CA first, root last. */
  readonly chain: readonly Buffer[];
}

/** The certificate of a device's signing key, which names the person and therefore lies with the personal data. */
export class ReadSigningCertificate {
  constructor(private readonly records: PersonRecords) {}

  /** Throws {@link DeviceNotFound} when the person was erased. */
  async execute({ identityId, deviceId }: { identityId: IdentityId; deviceId: DeviceId }): Promise<SigningCertificate> {
    const record = (await this.records.read(identityId))?.devices[deviceId];
    if (!record) throw new DeviceNotFound('nothing is kept of the device');
    const { certificate, certificateChain } = record;
    return { certificate: Buffer.from(certificate, 'base64'), chain: certificateChain.map((der) => Buffer.from(der, 'base64')) };
  }
}
