import { type Clock, type DeviceId, InvalidRequest } from '#kernel';
import { Certificate, type CertificateAuthority, type IssuedCertificate, isRequestByKeyOf } from '#signatures/pki';

import { isRenewalDue } from '../domain/certificate-renewal.js';
import type { Device } from '../domain/device.js';
import { DeviceLocked, DeviceNotFound } from '../domain/device.errors.js';
import { IdentityNotFound } from '../domain/identity.errors.js';
import type { Certificates } from '../repositories/certificates.js';
import type { DeviceRecord, PersonRecords } from '../repositories/person-records.js';
import type { EnrolmentProof } from '../repositories/enrolment-proof.js';
import { enrolAgain, type SigningCertificate, signingCertificateIn, WITHOUT_CERTIFICATE } from './read-signing-certificate.js';

export interface RenewCertificateParts {
  readonly certificates: Certificates;
  readonly records: PersonRecords;
  /** Undefined where nothing is signed. */
  readonly certificateAuthority: CertificateAuthority | undefined;
  readonly enrolmentProof: EnrolmentProof;
  readonly clock: Clock;
}

/**
 * Renews the certificate of a device, for the same key, before it ends (specification/app.md#post-device-certificate). The device needs no PIN: it can
 * do nothing afterwards that it could not do before, since the person and the key stay the same.
 */
export class RenewCertificate {
  /** Renewals that run in this process. */
  readonly #running = new Map<DeviceId, Promise<DeviceRecord>>();

  constructor(private readonly parts: RenewCertificateParts) {}

  /**
   * @param csr PKCS#10 of the key that the device was enrolled with, DER
   * @returns the new certificate, or the present one while no renewal is due: so a repetition after a lost answer gets the certificate that was issued
   *
   * Throws {@link DeviceLocked}, {@link DeviceNotFound} for an erased person, {@link InvalidRequest} for another key and, with the remedy, for
   * a device whose certificate has ended or that has none. Throws ServiceUnavailable.
   */
  async execute(csr: Buffer, sender: Device): Promise<SigningCertificate> {
    const { identityId, deviceId, status, lockedUntil } = sender;
    if (status === 'LOCKED') throw new DeviceLocked(lockedUntil);
    const { records, certificateAuthority, clock } = this.parts;
    const record = await records.read(identityId);
    const device = record?.devices[deviceId];
    if (!record || !device) throw new DeviceNotFound('the device has no record');
    if (!certificateAuthority) throw new InvalidRequest('This service issues no certificates.', 'no certificate authority');
    const present = signingCertificateIn(device);
    if (!present) throw enrolAgain(...WITHOUT_CERTIFICATE);
    const certificate = Certificate.parse(present.certificate);
    if (!isRequestByKeyOf(csr, certificate)) throw new InvalidRequest('`signing_csr` must be for the key of the present certificate.');
    const now = clock.now();
    if (certificate.notAfter < now) throw enrolAgain("This phone's signing certificate has ended. Enrol the phone again.", 'certificate ended');
    const renewed = isRenewalDue(certificate, now)
      ? await this.#once(deviceId, async () => {
          return this.#store(await certificateAuthority.issue({ csr, holder: record.person }), device, sender);
        })
      : device;
    return this.#announced(renewed, deviceId);
  }

  /** Requests of one device at the same moment share one certificate. Otherwise a device could make the authority issue many. */
  #once(deviceId: DeviceId, renewal: () => Promise<DeviceRecord>): Promise<DeviceRecord> {
    const running = this.#running.get(deviceId) ?? renewal().finally(() => this.#running.delete(deviceId));
    this.#running.set(deviceId, running);
    return running;
  }

  /** The record of the device with the new certificate. When another renewal came first, its certificate stays. */
  async #store(issued: IssuedCertificate, { certificate }: DeviceRecord, sender: Device): Promise<DeviceRecord> {
    const { identityId, deviceId } = sender;
    let stored: DeviceRecord | undefined;
    try {
      await this.parts.records.change(identityId, async (newest, streams) => {
        await this.parts.enrolmentProof.present(streams, sender);
        const before = newest.devices[deviceId];
        stored = before;
        if (!before || before.certificate !== certificate) return newest;
        stored = renewedRecord(before, issued, this.parts.clock.now());
        return { ...newest, devices: { ...newest.devices, [deviceId]: stored } };
      });
    } catch (error) {
      throw error instanceof IdentityNotFound ? new DeviceNotFound('erased meanwhile') : error;
    }
    if (!stored) throw new DeviceNotFound('the device has no record');
    return stored;
  }

  /**
   * Tells OCSP which device the certificate belongs to. The record is stored first, since an erasure finds certificates there. After a crash in
   * between, the phone repeats its request, and the repetition completes this step.
   */
  async #announced(device: DeviceRecord, deviceId: Device['deviceId']): Promise<SigningCertificate> {
    const { serial, notAfter } = device;
    const announced =
      serial === undefined ||
      notAfter === undefined ||
      (await this.parts.certificates.issue(serial, { at: this.parts.clock.now(), deviceId, notAfter }));
    const certificate = signingCertificateIn(device);
    if (!announced || !certificate) throw new DeviceNotFound('erased meanwhile');
    return certificate;
  }
}

const renewedRecord = (before: DeviceRecord, { certificate, chain, serial, notAfter }: IssuedCertificate, now: number): DeviceRecord => {
  const { name, platform, earlierCertificates = [], ...previous } = before;
  return {
    name,
    platform,
    serial,
    notAfter,
    certificate: certificate.toString('base64'),
    certificateChain: chain.map((link) => link.toString('base64')),
    earlierCertificates: [...earlierCertificates, previous].filter((earlier) => (earlier.notAfter ?? Infinity) >= now),
  };
};
