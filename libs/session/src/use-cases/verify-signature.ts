import { verify } from 'node:crypto';

import { verifyDeviceSignature } from '#asic';
import { fromBase64, type Sealer, type SessionId, sha256Base64url } from '#kernel';
import { type Device, type ReadSigningCertificate, verificationKey } from '#identity';

import type { SealedScan } from '../domain/sealed-terms.js';
import type { Scan, Terms } from '../domain/session.js';
import { InvalidSignature } from '../domain/session.errors.js';
import { sessionStream } from './sessions.js';

export interface SignatureToVerify {
  readonly sessionId: SessionId;
  readonly terms: Terms;
  readonly scan: Scan;
  readonly device: Device;
  /** Base64, as the device sent it: IEEE P1363 for EC keys, PKCS#1 v1.5 for RSA. */
  readonly signature: string;
}

/** Whether the device signed exactly the bytes that it was shown, with the key that belongs to this kind of session. */
export class VerifySignature {
  constructor(
    private readonly sealer: Sealer,
    private readonly readSigningCertificate: ReadSigningCertificate,
  ) {}

  /** The signature as it is kept, base64. Throws {@link InvalidSignature}. */
  async execute({ sessionId, terms, scan, device, signature }: SignatureToVerify): Promise<string> {
    const bytes = fromBase64(signature);
    if (!bytes) throw new InvalidSignature('not base64');
    const shown = this.sealer.open<SealedScan>(scan.sealed, sessionStream(sessionId));
    const toBeSigned = Buffer.from(shown.toBeSigned, 'base64');
    const kept = terms.signatureType === 'SIGNING' ? await this.#document(toBeSigned, bytes, scan, device) : authentication(toBeSigned, bytes, device);
    if (!kept) throw new InvalidSignature('does not verify');
    return kept.toString('base64');
  }

  async #document(toBeSigned: Buffer, signature: Buffer, scan: Scan, device: Device): Promise<Buffer | undefined> {
    const { certificate } = await this.readSigningCertificate.execute(device);
    if (sha256Base64url(certificate) !== scan.certificateHash) throw new InvalidSignature('another certificate than at the scan');
    return verifyDeviceSignature({ toBeSigned, certificate, signature });
  }
}

/** ES256 (RFC 7518 section 3.4) with the device's authentication key. */
const authentication = (toBeSigned: Buffer, signature: Buffer, device: Device): Buffer | undefined => {
  const key = verificationKey(device.authenticationKey);
  const genuine = signature.length === 64 && verify('sha256', toBeSigned, { key, dsaEncoding: 'ieee-p1363' }, signature);
  return genuine ? signature : undefined;
};
