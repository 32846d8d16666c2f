import type { JsonWebKey } from 'node:crypto';

import { verifyDeviceSignature, verifyStoredSignature } from '#signatures/asic';
import { fromBase64, sha256Base64url } from '#kernel';
import type { FoundEnrolment, ReadSigningCertificate } from '#domain/identity';

import { VerifiedSignatures } from '../approval/verified-signatures.js';
import type { Scan } from '../domain/session.js';
import type { SessionTerms } from '../domain/session.events.js';
import { InvalidSignature } from '../domain/session.errors.js';

export interface SignatureToVerify {
  readonly terms: SessionTerms;
  readonly scan: Scan;
  /** Base64 of the bytes that the device was asked to sign. */
  readonly toBeSigned: string;
  readonly device: Pick<FoundEnrolment, 'deviceId' | 'identityId'> & { readonly authenticationKey: JsonWebKey };
  /** Base64, as the device sent it: IEEE P1363 for EC keys, PKCS#1 v1.5 for RSA. */
  readonly signature: string;
}

/** Shared by the whole process: one service confirms a login, another one exchanges its code, and both may run in this process. */
const verifiedHere = new VerifiedSignatures();

/** Checks that the device signed exactly the bytes of its scan, with the key for this type of session. */
export class VerifySignature {
  constructor(
    private readonly readSigningCertificate: ReadSigningCertificate,
    private readonly verified: VerifiedSignatures = verifiedHere,
  ) {}

  /** Answers the signature as it is stored, base64. Throws {@link InvalidSignature}. */
  async execute({ terms, scan, device, signature, ...given }: SignatureToVerify): Promise<string> {
    const bytes = fromBase64(signature);
    if (!bytes) throw new InvalidSignature('not base64');
    const toBeSigned = Buffer.from(given.toBeSigned, 'base64');
    const isSigning = terms.signatureType === 'SIGNING';
    const verified = await (isSigning ? this.#document(toBeSigned, bytes, scan, device) : this.#login(toBeSigned, bytes, device));
    if (!verified) throw new InvalidSignature('does not verify');
    return verified.toString('base64');
  }

  /** Checks a document's signature once more, in the form that {@link execute} answered. Throws {@link InvalidSignature}. */
  async checkStored({ scan, device, toBeSigned, signature }: Omit<SignatureToVerify, 'terms'>): Promise<void> {
    const bytes = fromBase64(signature);
    if (!bytes) throw new InvalidSignature('not base64');
    const certificate = await this.#certificate(scan, device);
    if (!verifyStoredSignature({ toBeSigned: Buffer.from(toBeSigned, 'base64'), certificate, signature: bytes }))
      throw new InvalidSignature('does not verify');
  }

  /** ES256 (RFC 7518 section 3.4) with the device's authentication key. */
  async #login(toBeSigned: Buffer, signature: Buffer, { authenticationKey }: SignatureToVerify['device']): Promise<Buffer | undefined> {
    return (await this.verified.isRight(authenticationKey, toBeSigned, signature)) ? signature : undefined;
  }

  async #document(toBeSigned: Buffer, signature: Buffer, scan: Scan, device: SignatureToVerify['device']): Promise<Buffer | undefined> {
    return verifyDeviceSignature({ toBeSigned, certificate: await this.#certificate(scan, device), signature });
  }

  async #certificate(scan: Scan, device: SignatureToVerify['device']): Promise<Buffer> {
    const { certificate } = await this.readSigningCertificate.execute({ ...device, certificateHash: scan.certificateHash });
    if (sha256Base64url(certificate) !== scan.certificateHash) throw new InvalidSignature('another certificate than at the scan');
    return certificate;
  }
}
