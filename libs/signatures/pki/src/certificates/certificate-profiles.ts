import 'reflect-metadata';

import {
  AuthorityInfoAccessExtension,
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  CertificatePolicyExtension,
  CRLDistributionPointsExtension,
  ExtendedKeyUsageExtension,
  Extension,
  type JsonNameParams,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name,
  PublicKey,
  SubjectKeyIdentifierExtension,
} from '@peculiar/x509';

import { OID } from '../der/oids.js';
import type { CertificateHolder } from './certificate-authority.js';
import type { TrustServiceAddresses } from './trust-service-addresses.js';

/** The content of a certificate of one kind beyond its key, its issuer and its serial number (specification/signing.md#certificate-profiles). */
export interface CertificateProfile {
  readonly subject: Name;
  readonly years: number;
  readonly extensions: readonly Extension[];
}

/** Under the arc that is set aside for examples (RFC 5612): a development certificate claims no real policy. */
export const DEVELOPMENT_POLICY = '1.3.6.1.4.1.32473.1.1';

const MARK = '(TEST, not qualified)';
// ISO 3166-1 leaves XX to its users: the development authority belongs to no country
const DEVELOPMENT_COUNTRY = 'XX';
const NULL_VALUE = Buffer.of(5, 0);

const { digitalSignature, nonRepudiation, keyCertSign, cRLSign } = KeyUsageFlags;

export const rootProfile = (): CertificateProfile => ({
  subject: authorityName('Root CA'),
  years: 20,
  extensions: [new BasicConstraintsExtension(true, undefined, true), new KeyUsagesExtension(keyCertSign | cRLSign, true)],
});

export const issuingProfile = (at: TrustServiceAddresses): CertificateProfile => ({
  subject: authorityName('Issuing CA'),
  years: 10,
  extensions: [
    new BasicConstraintsExtension(true, 0, true),
    new KeyUsagesExtension(keyCertSign | cRLSign, true),
    // an issuing CA's certificates carry a policy, so its own one must allow it (RFC 5280 §6.1.3)
    new CertificatePolicyExtension([DEVELOPMENT_POLICY]),
    new AuthorityInfoAccessExtension({ caIssuers: at.rootCertificate }),
    new CRLDistributionPointsExtension([at.rootCrl]),
  ],
});

/** RFC 6960 §4.2.2.2: issued by the CA whose certificates it answers for; its own revocation is not looked up. */
export const responderProfile = (at: TrustServiceAddresses): CertificateProfile => ({
  subject: authorityName('OCSP Responder'),
  years: 10,
  extensions: [
    new BasicConstraintsExtension(false),
    new KeyUsagesExtension(digitalSignature, true),
    new ExtendedKeyUsageExtension([OID.kpOcspSigning]),
    new Extension(OID.ocspNoCheck, false, NULL_VALUE),
    new AuthorityInfoAccessExtension({ caIssuers: at.issuingCertificate }),
  ],
});

/** RFC 3161 §2.3: timeStamping alone, and critical. */
export const timestampingProfile = (at: TrustServiceAddresses): CertificateProfile => ({
  subject: authorityName('Time-Stamping Unit'),
  years: 5,
  extensions: [
    new BasicConstraintsExtension(false),
    new KeyUsagesExtension(digitalSignature, true),
    new ExtendedKeyUsageExtension([OID.kpTimeStamping], true),
    new AuthorityInfoAccessExtension({ caIssuers: at.rootCertificate }),
    new CRLDistributionPointsExtension([at.rootCrl]),
  ],
});

/** A natural person's certificate for signatures alone (EN 319 412-2). */
export const signerProfile = (person: CertificateHolder, at: TrustServiceAddresses): CertificateProfile => ({
  subject: personName(person),
  years: 2,
  extensions: [
    new BasicConstraintsExtension(false),
    new KeyUsagesExtension(nonRepudiation, true),
    new CertificatePolicyExtension([DEVELOPMENT_POLICY]),
    new AuthorityInfoAccessExtension({ ocsp: at.ocsp, caIssuers: at.issuingCertificate }),
  ],
});

/** The key identifiers that every certificate carries (RFC 5280 §4.2.1.1 and 4.2.1.2). */
export const keyIdentifiers = async (subjectSpki: Buffer, issuerSpki: Buffer): Promise<readonly Extension[]> => [
  await SubjectKeyIdentifierExtension.create(new PublicKey(subjectSpki)),
  await AuthorityKeyIdentifierExtension.create(new PublicKey(issuerSpki)),
];

const authorityName = (role: string): Name =>
  nameOf([
    { [OID.countryName]: [{ printableString: DEVELOPMENT_COUNTRY }] },
    { [OID.organizationName]: [{ utf8String: `Countersign Development ${MARK}` }] },
    { [OID.commonName]: [{ utf8String: `Countersign ${role} ${MARK}` }] },
  ]);

/** EN 319 412-1 §5.1.3: `PNO`, the country, the national personal number. */
export const personalNumber = ({ country, personalCode }: Pick<CertificateHolder, 'country' | 'personalCode'>): string =>
  `PNO${country}-${personalCode}`;

/** The subject of a person's certificate (EN 319 412-2). */
export const personName = ({ country, givenName, familyName, personalCode }: CertificateHolder): Name =>
  nameOf([
    { [OID.countryName]: [{ printableString: country }] },
    { [OID.commonName]: [{ utf8String: commonNameOf([familyName, givenName].filter(Boolean).join(','), personalCode) }] },
    // No attribute is empty (X.520). One of the two is enough (EN 319 412-2 §4.2.4).
    ...(familyName === '' ? [] : [{ [OID.surname]: [{ utf8String: familyName }] }]),
    ...(givenName === '' ? [] : [{ [OID.givenName]: [{ utf8String: givenName }] }]),
    { [OID.serialNumber]: [{ printableString: personalNumber({ country, personalCode }) }] },
  ]);

/** RFC 5280 appendix A, ub-common-name: in characters. */
const MAX_COMMON_NAME = 64;

/** Names that are too long are cut, never the personal code. The whole names stand in surname and givenName. */
const commonNameOf = (names: string, personalCode: string): string => {
  const code = `,${personalCode}`.toUpperCase();
  const cut = Array.from(names.toUpperCase()).slice(0, MAX_COMMON_NAME - code.length);
  return cut.join('').replace(/[\s,]+$/u, '') + code;
};

const nameOf = (attributes: JsonNameParams): Name => new Name(attributes);
