import type { SigningCertificate } from '../api/device-answers.js';
import type { PhoneApi } from '../api/phone-api.js';
import { type Bytes, fromBase64, toBase64 } from '../crypto/bytes.js';
import { certificateHolder } from '../crypto/certificate-holder.js';
import { certificateValidity } from '../crypto/certificate-validity.js';
import { certificationRequest } from '../crypto/certification-request.js';
import { certifiesKey } from '../crypto/certified-key.js';
import type { Prover } from '../crypto/device-proof.js';
import type { DeviceRecord, DeviceStore } from './device-record.js';

export interface CertificateRenewalParts {
  readonly phone: { device: DeviceRecord | undefined; readonly prover: Prover | undefined };
  readonly api: Pick<PhoneApi, 'renewCertificate'>;
  readonly store: Pick<DeviceStore, 'save'>;
  /** Epoch milliseconds of the service. */
  readonly now: () => number;
}

const LONGEST_MS = 30 * 86_400_000;
/** Milliseconds between two attempts. */
const PAUSE_MS = 60_000;

/** Renews the signing certificate before it ends (specification/app.md#post-device-certificate), without asking the person. */
export class CertificateRenewal {
  private running: Promise<void> | undefined;
  private notBefore = -Infinity;

  constructor(private readonly parts: CertificateRenewalParts) {}

  /** Resolves when the phone has the certificate that the service will name in the next signature, or cannot get it now. Never rejects. */
  renew(): Promise<void> {
    return (this.running ??= this.attempt()
      .catch(() => undefined)
      .finally(() => (this.running = undefined)));
  }

  private async attempt(): Promise<void> {
    const { phone, api, store, now } = this.parts;
    const { device, prover } = phone;
    const present = fromBase64(device?.signingCertificate ?? '');
    if (device === undefined || prover === undefined || present === undefined || now() < this.notBefore || !isDue(present, now())) return;
    this.notBefore = now() + PAUSE_MS;
    const reply = await api.renewCertificate(prover, toBase64(await certificationRequest(device.keys.signing, device.name)));
    if (reply.kind !== 'OK' || !(await renews(reply.body, present, device)) || phone.device !== device) return;
    phone.device = { ...device, ...reply.body };
    await store.save(phone.device);
  }
}

/** The same rule as the service has: due in the last 30 days, or in the last third of a shorter life. */
const isDue = (certificate: Bytes, now: number): boolean => {
  const validity = certificateValidity(certificate);
  return validity !== undefined && now >= validity.notAfter - Math.min(LONGEST_MS, (validity.notAfter - validity.notBefore) / 3);
};

/** Checks key and person: with a certificate for another key or person, this phone would sign for that person. */
const renews = async ({ signingCertificate }: SigningCertificate, present: Bytes, { keys }: DeviceRecord): Promise<boolean> => {
  const certificate = fromBase64(signingCertificate);
  return (
    certificate !== undefined && (await certifiesKey(certificate, keys.signing)) && certificateHolder(certificate) === certificateHolder(present)
  );
};
