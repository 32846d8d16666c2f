import { verify } from 'node:crypto';

import { verifyDeviceSignature } from '#asic';
import { fromBase64, sha256Base64url } from '#kernel';
import { type Device, type ReadSigningCertificate, verificationKey } from '#identity';

import type { Scan } from '../domain/session.js';
import type { SessionTerms } from '../domain/session.events.js';
import { InvalidSignature } from '../domain/session.errors.js';

export interface SignatureToVerify {
  readonly terms: SessionTerms;
  readonly scan: Scan;
  /** Base64 of the bytes that the device was asked to sign. */
  readonly toBeSigned: string;
  readonly device: Device;
  /** Base64, as the device sent it: IEEE P1363 for EC keys, PKCS#1 v1.5 for RSA. */
  readonly signature: string;
}

/** Checks that the device signed exactly the bytes of its scan, with the key for this type of session. */
export class VerifySignature {
  constructor(private readonly readSigningCertificate: ReadSigningCertificate) {}

  /** Answers the signature as it is stored, base64. Throws {@link InvalidSignature}. */
  async execute({ terms, scan, device, signature, ...given }: SignatureToVerify): Promise<string> {
    const bytes = fromBase64(signature);
    if (!bytes) throw new InvalidSignature('not base64');
    const toBeSigned = Buffer.from(given.toBeSigned, 'base64');
    const verified =
      terms.signatureType === 'SIGNING' ? await this.#document(toBeSigned, bytes, scan, device) : authentication(toBeSigned, bytes, device);
    if (!verified) throw new InvalidSignature('does not verify');
    return verified.toString('base64');
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
  const valid = signature.length === 64 && verify('sha256', toBeSigned, { key, dsaEncoding: 'ieee-p1363' }, signature);
  return valid ? signature : undefined;
};
