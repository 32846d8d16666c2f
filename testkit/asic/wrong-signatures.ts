import { attribute, Certificate, encode, generalizedTime, OID, oid, readSignedData, sequence, signingCertificateV2, time } from '#signatures/pki';

import { SIGNATURE_ENTRY } from '#signatures/asic';
import { forgeContainer, type Forgery } from './forge-container.js';
import type { SigningKit } from './signing-kit.js';
import { BOTH, type Forging, type Row } from './wrong-container.js';

const HOUR = 3_600_000;

/** Wrong signatures and signed attributes. */
export const attributeRows = (kit: SigningKit, forging: Forging): readonly Row[] => {
  return [
    {
      title: 'a signature changed afterwards',
      rule: 'signature-value',
      ...BOTH,
      forge: forging({
        entries: (all) => all.map((entry) => (entry.name === SIGNATURE_ENTRY ? { ...entry, content: damagedSignature(entry.content) } : entry)),
      }),
    },
    {
      title: 'no signing-certificate attribute',
      rule: 'signing-certificate',
      ...BOTH,
      forge: forging({ attributes: ({ signingCertificate: _, ...rest }) => Object.values(rest) }),
    },
    {
      title: "another person's certificate in signing-certificate",
      rule: 'signing-certificate',
      ...BOTH,
      forge: async () => {
        const other = Certificate.parse((await kit.signer()).certificate);
        return forgeContainer(kit, {
          attributes: (standard) =>
            Object.values({ ...standard, signingCertificate: attribute(OID.signingCertificateV2, signingCertificateV2(other)) }),
        });
      },
    },
    {
      title: "the CA's certificate in signing-certificate",
      rule: 'signing-certificate',
      dss: 'accepts',
      bouncyCastle: 'refuses',
      forge: forging({
        attributes: (standard) =>
          Object.values({
            ...standard,
            signingCertificate: attribute(OID.signingCertificateV2, signingCertificateV2(Certificate.parse(kit.pki.issuing.certificate))),
          }),
      }),
    },
    {
      title: 'another hash announced than the signer used',
      rule: 'signature-format',
      dss: 'refuses',
      bouncyCastle: 'accepts',
      forge: forging({ announcedHash: 'sha512' }),
    },
    { title: 'no signing time', rule: 'signing-time', ...BOTH, forge: forging({ attributes: ({ signingTime: _, ...rest }) => Object.values(rest) }) },
    {
      title: 'a signing time of the wrong type',
      rule: 'signing-time',
      ...BOTH,
      forge: forging({
        attributes: (standard) => Object.values({ ...standard, signingTime: attribute(OID.signingTime, generalizedTime(kit.clock.now())) }),
      }),
    },
    {
      title: 'no content-type',
      rule: 'signature-value',
      ...BOTH,
      forge: forging({ attributes: ({ contentType: _, ...rest }) => Object.values(rest) }),
    },
    {
      title: 'attributes signed and stored out of order',
      rule: 'signature-order',
      ...BOTH,
      forge: forging({ attributes: reversed, signedAsGiven: true, storedAsGiven: true }),
    },
    {
      title: 'attributes signed in order but stored out of it',
      rule: 'signature-order',
      dss: 'accepts',
      bouncyCastle: 'refuses',
      forge: forging({ attributes: reversed, storedAsGiven: true }),
    },
    { title: 'r and s as the phone sent them', rule: 'signature-value', ...BOTH, forge: forging({ signature: (p1363) => p1363 }) },
    {
      title: "a digest algorithm that is not the signature's",
      rule: 'algorithm',
      ...BOTH,
      forge: forging({ digestAlgorithm: sequence(oid(OID.sha512)) }),
    },
    { title: 'version 1 with an OCSP response', rule: 'signature-format', dss: 'accepts', bouncyCastle: 'refuses', forge: forging({ version: 1 }) },
    {
      title: 'a signing time an hour before the time-stamp',
      rule: 'time-order',
      dss: 'accepts',
      bouncyCastle: 'refuses',
      forge: forging({
        beforeSigning: 2 * HOUR,
        attributes: (standard) => Object.values({ ...standard, signingTime: attribute(OID.signingTime, time(kit.clock.now() - HOUR)) }),
      }),
    },
  ];
};

const damagedSignature = (p7s: Buffer): Buffer => {
  const { signature } = readSignedData(p7s, p7s.length).signer;
  const damaged = Buffer.from(p7s);
  const last = p7s.indexOf(signature) + signature.length - 1;
  damaged[last] = (damaged[last] ?? 0) ^ 1;
  return damaged;
};

const reversed = (standard: Parameters<NonNullable<Forgery['attributes']>>[0]) =>
  Object.values(standard).sort((a, b) => Buffer.compare(encode(b), encode(a)));
