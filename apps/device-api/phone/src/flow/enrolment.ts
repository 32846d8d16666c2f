import type { Reply } from '#web-page/browser';
import type { Enrolled, PhoneApi } from '../api/phone-api.js';
import { fromBase64, toBase64 } from '../crypto/bytes.js';
import { certifiesKey } from '../crypto/certified-key.js';
import { certificationRequest } from '../crypto/certification-request.js';
import { type DeviceKeys, makeDeviceKeys, pinProof } from '../crypto/device-keys.js';
import type { DeviceRecord } from './device-record.js';

/** The description of this device for the service: free text of at most 64 characters each. */
export interface DeviceDescription {
  readonly name: string;
  readonly platform: string;
}

export interface EnrolmentParts {
  readonly api: Pick<PhoneApi, 'enrol'>;
  readonly describe: DeviceDescription;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** This phone keeps nothing of such an enrolment. */
const FOREIGN_CERTIFICATE = { kind: 'REFUSED', status: 200, errorCode: 'foreign_certificate' } as const;

const certifies = (certificate: string, { signing }: DeviceKeys): Promise<boolean> =>
  certifiesKey(fromBase64(certificate) ?? new Uint8Array(0), signing.publicKey);

/** Makes this browser a person's device. The keys are made once, so that a repetition after a lost answer sends the same ones. */
export class Enrolment {
  private keys: Promise<DeviceKeys> | undefined;

  constructor(private readonly parts: EnrolmentParts) {}

  async enrol(activationCode: string, pin: string): Promise<Reply<DeviceRecord>> {
    this.keys ??= makeDeviceKeys();
    const keys = await this.keys;
    const { name, platform } = this.parts.describe;
    const reply = await this.parts.api.enrol(keys, {
      activation_code: activationCode,
      name,
      platform,
      signing_csr: toBase64(await certificationRequest(keys.signing, name)),
      pin_proof: await pinProof(keys.pin, pin),
    });
    if (reply.kind !== 'OK') return reply;
    const { signingCertificate } = reply.body;
    // A certificate for another key would sign for the person who holds that key.
    if (signingCertificate !== undefined && !(await certifies(signingCertificate, keys))) return FOREIGN_CERTIFICATE;
    return { kind: 'OK', body: this.record(keys, reply.body) };
  }

  private record(keys: DeviceKeys, enrolled: Enrolled): DeviceRecord {
    return { ...enrolled, keys, enrolledAt: this.parts.now() };
  }
}
