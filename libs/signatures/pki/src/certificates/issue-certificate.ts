import 'reflect-metadata';

import { createPublicKey, type KeyObject, webcrypto } from 'node:crypto';

import { type Name, PublicKey, X509CertificateGenerator } from '@peculiar/x509';

import type { Randomness } from '#kernel';

import { type CertificateProfile, keyIdentifiers } from './certificate-profiles.js';

/** The signer of a certificate: a CA, or at the root the subject itself. */
export interface Issuer {
  readonly name: Name;
  /** P-256 or P-384. */
  readonly privateKey: KeyObject;
}

export interface CertificateToIssue {
  readonly profile: CertificateProfile;
  /** DER SubjectPublicKeyInfo. */
  readonly spki: Buffer;
  readonly serial: Buffer;
  /** Epoch milliseconds, whole seconds. */
  readonly notBefore: number;
  readonly notAfter: number;
}

/** 16 random bytes as a positive INTEGER of always that length (RFC 5280 §4.1.2.2 allows 20). */
export const newSerial = (randomness: Randomness): Buffer => {
  const serial = randomness.bytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  return serial;
};

/** The same day and time, so many calendar years later. Epoch milliseconds. */
export const yearsAfter = (at: number, years: number): number => {
  const date = new Date(at);
  return date.setUTCFullYear(date.getUTCFullYear() + years);
};

/** DER of a certificate, signed by the issuer with the hash that belongs to its curve. */
export const issueCertificate = async (request: CertificateToIssue, issuer: Issuer): Promise<Buffer> => {
  const { profile, spki } = request;
  const issuerSpki = createPublicKey(issuer.privateKey).export({ format: 'der', type: 'spki' });
  const curve = issuer.privateKey.asymmetricKeyDetails?.namedCurve === 'secp384r1' ? 'P-384' : 'P-256';
  const certificate = await X509CertificateGenerator.create({
    subject: profile.subject,
    issuer: issuer.name,
    serialNumber: request.serial.toString('hex'),
    notBefore: new Date(request.notBefore),
    notAfter: new Date(request.notAfter),
    publicKey: new PublicKey(spki),
    signingKey: await webKey(issuer.privateKey, curve),
    signingAlgorithm: { name: 'ECDSA', hash: curve === 'P-384' ? 'SHA-384' : 'SHA-256' },
    extensions: [...profile.extensions, ...(await keyIdentifiers(spki, issuerSpki))],
  });
  return Buffer.from(certificate.rawData);
};

const webKey = (key: KeyObject, namedCurve: string) =>
  webcrypto.subtle.importKey('pkcs8', key.export({ format: 'der', type: 'pkcs8' }), { name: 'ECDSA', namedCurve }, false, ['sign']);
