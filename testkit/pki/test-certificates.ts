import 'reflect-metadata';

import { createPublicKey } from 'node:crypto';

import type { Extension } from '@peculiar/x509';

import { SystemRandomness } from '#kernel';

import type { CertificateProfile } from '#signatures/pki';
import { signerProfile, timestampingProfile, responderProfile } from '#signatures/pki';
import { issueCertificate, newSerial } from '#signatures/pki';
import { trustServiceAddresses } from '#signatures/pki';
import { issuerOf, type TrustServiceUnit } from '#signatures/pki';
import { type KeyPair, newKey } from './signing-requests.js';

const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;
const addresses = trustServiceAddresses('http://localhost:3000');

export const PROFILES = {
  signer: (): CertificateProfile => signerProfile({ givenName: 'Mari', familyName: 'Männik', personalCode: '47101010033', country: 'EE' }, addresses),
  timestamping: (): CertificateProfile => timestampingProfile(addresses),
  responder: (): CertificateProfile => responderProfile(addresses),
} as const;

export interface TestCertificate {
  readonly profile: CertificateProfile;
  readonly issuer: TrustServiceUnit;
  readonly now: number;
  readonly notBefore?: number;
  readonly notAfter?: number;
  readonly keys?: KeyPair;
  readonly serial?: Buffer;
}

/** A unit with a certificate that the development trust service would never issue. */
export const testUnit = async ({
  profile,
  issuer,
  now,
  notBefore,
  notAfter,
  keys = newKey['P-256'](),
  serial = newSerial(new SystemRandomness()),
}: TestCertificate): Promise<TrustServiceUnit> => {
  const { privateKey } = keys;
  const certificate = await issueCertificate(
    {
      profile,
      spki: createPublicKey(privateKey).export({ format: 'der', type: 'spki' }),
      serial,
      notBefore: notBefore ?? now - HOUR,
      notAfter: notAfter ?? now + YEAR,
    },
    issuerOf(issuer),
  );
  return { certificate, privateKey };
};

/** The profile without the extensions of those types, and with those given. */
export const withExtensions = (profile: CertificateProfile, without: readonly string[], ...more: readonly Extension[]): CertificateProfile => ({
  ...profile,
  extensions: [...profile.extensions.filter(({ type }) => !without.includes(type)), ...more],
});
