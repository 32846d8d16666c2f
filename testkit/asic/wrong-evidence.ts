import { hash } from 'node:crypto';

import { ExtendedKeyUsageExtension } from '@peculiar/x509';

import { isUniversal, OID, type RevocationEvidence } from '#signatures/pki';
import { type CertificateProfile } from '#signatures/pki';
import { PROFILES, testUnit, withExtensions } from '#testkit/pki/test-certificates';
import { unverifiedOcsp, unverifiedTimeStamp } from '#testkit/pki/unverified-evidence';

import type { Evidence } from '#signatures/asic';
import { SIGNATURE_ENTRY } from '#signatures/asic';
import type { Forgery } from './forge-container.js';
import { type Signed, SigningKit } from './signing-kit.js';
import { BOTH, type Forging, type Row } from './wrong-container.js';

const HOUR = 3_600_000;

/** Wrong time-stamps. */
export const timeStampRows = (kit: SigningKit, forging: Forging): readonly Row[] => {
  const stampedBy = (profile: CertificateProfile): Forgery => ({
    evidence: async (signed) => {
      // as old as the root: a list that is older than the certificate it is about would be a second flaw
      const unit = await testUnit({ profile, issuer: kit.pki.root, now: kit.clock.now(), notBefore: kit.openedAt - HOUR });
      const timeStamp = unverifiedTimeStamp(unit, kit.pki.root, { data: signed.signature, now: kit.clock.now() });
      return { ...(await goodEvidence(kit, signed)), timeStamp };
    },
  });
  return [
    {
      title: 'a time-stamp over something else',
      rule: 'time-stamp',
      ...BOTH,
      forge: forging({ stamped: (signature) => hash('sha512', signature, 'buffer') }),
    },
    {
      title: 'a time-stamp of an authority that is not trusted',
      rule: 'time-stamp',
      ...BOTH,
      forge: forging({
        evidence: async (signed) => {
          const foreign = await SigningKit.open(kit.clock.now());
          return { ...(await goodEvidence(kit, signed)), timeStamp: await foreign.timestampAuthority.stamp(signed.signature) };
        },
      }),
    },
    {
      title: "a time-stamp whose unit's certificate is not for time-stamping",
      rule: 'time-stamp',
      ...BOTH,
      forge: forging(stampedBy(withExtensions(PROFILES.timestamping(), [OID.extKeyUsage]))),
    },
    {
      title: "a time-stamp whose unit's certificate is not marked critical",
      rule: 'time-stamp',
      dss: 'accepts',
      bouncyCastle: 'refuses',
      forge: forging(stampedBy(withExtensions(PROFILES.timestamping(), [OID.extKeyUsage], new ExtendedKeyUsageExtension([OID.kpTimeStamping])))),
    },
    {
      title: "a time-stamp whose unit's certificate is for other things too",
      rule: 'time-stamp',
      dss: 'accepts',
      bouncyCastle: 'refuses',
      forge: forging(
        stampedBy(
          withExtensions(PROFILES.timestamping(), [OID.extKeyUsage], new ExtendedKeyUsageExtension([OID.kpTimeStamping, OID.kpOcspSigning], true)),
        ),
      ),
    },
  ];
};

/** Wrong certificates, and wrong statements about them. */
export const revocationRows = (kit: SigningKit, forging: Forging): readonly Row[] => {
  const answeredBy = (profile: CertificateProfile, issuer = kit.pki.issuing): Forgery => ({
    evidence: async (signed) => {
      const responder = await testUnit({ profile, issuer, now: kit.clock.now() });
      const answer = await unverifiedOcsp({ ...kit.pki, responder }, { certificate: signed.signer.certificate, now: kit.clock.now() });
      return withAnswer(await goodEvidence(kit, signed), answer);
    },
  });
  return [
    { title: 'no OCSP response', rule: 'level', ...BOTH, forge: forging({ crls: (all) => all.filter(isUniversal) }) },
    {
      title: 'no CRL for the time-stamping unit',
      rule: 'revocation',
      dss: 'refuses',
      bouncyCastle: 'accepts',
      forge: forging({ crls: (all) => all.filter((node) => !isUniversal(node)) }),
    },
    { title: "only the signer's certificate", rule: 'trust', ...BOTH, forge: forging({ certificates: (all) => all.slice(0, 1) }) },
    {
      title: 'a certificate changed afterwards',
      rule: 'trust',
      ...BOTH,
      forge: forging({
        entries: (all) => all.map((entry) => (entry.name === SIGNATURE_ENTRY ? { ...entry, content: damagedName(entry.content) } : entry)),
      }),
    },
    {
      title: 'an OCSP response older than the time-stamp',
      rule: 'time-order',
      dss: 'accepts',
      bouncyCastle: 'refuses',
      forge: forging({
        evidence: async (signed) => {
          const answer = await unverifiedOcsp(kit.pki, { certificate: signed.signer.certificate, now: kit.clock.now() });
          kit.clock.advance(10_000);
          return withAnswer(await goodEvidence(kit, signed), answer);
        },
      }),
    },
    {
      title: 'a signer who was revoked',
      rule: 'revoked',
      ...BOTH,
      forge: forging({
        evidence: async (signed) => {
          const now = kit.clock.now();
          return withAnswer(
            await goodEvidence(kit, signed),
            await unverifiedOcsp(kit.pki, { certificate: signed.signer.certificate, now, revokedAt: now - HOUR / 60 }),
          );
        },
      }),
    },
    {
      title: 'a signer who was revoked after the time-stamp',
      rule: 'revoked-later',
      dss: 'accepts',
      bouncyCastle: 'refuses',
      forge: forging({
        evidence: async (signed) => {
          const evidence = await goodEvidence(kit, signed);
          const revokedAt = kit.clock.now() + 2000;
          kit.clock.advance(5000);
          return withAnswer(evidence, await unverifiedOcsp(kit.pki, { certificate: signed.signer.certificate, now: kit.clock.now(), revokedAt }));
        },
      }),
    },
    {
      title: 'a responder that would have to be looked up itself',
      rule: 'revocation',
      dss: 'refuses',
      bouncyCastle: 'accepts',
      forge: forging(answeredBy(withExtensions(PROFILES.responder(), [OID.ocspNoCheck]))),
    },
    {
      title: 'a responder that may not answer',
      rule: 'revocation',
      dss: 'accepts',
      bouncyCastle: 'refuses',
      forge: forging(answeredBy(withExtensions(PROFILES.responder(), [OID.extKeyUsage]))),
    },
    {
      title: "a responder of the root instead of the signer's CA",
      rule: 'revocation',
      dss: 'accepts',
      bouncyCastle: 'refuses',
      forge: forging(answeredBy(PROFILES.responder(), kit.pki.root)),
    },
  ];
};

const goodEvidence = async (kit: SigningKit, signed: Signed): Promise<Evidence & { level: 'LT' }> => {
  const evidence = await kit.evidence(signed);
  if (evidence.level !== 'LT') throw new TypeError('level LT expected');
  return evidence;
};

/** The evidence with another answer about the signer. */
const withAnswer = (evidence: Evidence & { level: 'LT' }, answer: RevocationEvidence): Evidence => ({
  ...evidence,
  revocation: [answer, ...evidence.revocation.filter(({ type }) => type === 'crl')],
});

const damagedName = (p7s: Buffer): Buffer => {
  const damaged = Buffer.from(p7s);
  damaged.write('Mari-Lies', p7s.indexOf('Mari-Liis'));
  return damaged;
};
