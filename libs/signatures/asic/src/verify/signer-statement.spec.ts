import { beforeAll, describe, expect, it } from '@jest/globals';
import { CRLDistributionPointsExtension } from '@peculiar/x509';

import { ServiceUnavailable } from '#kernel';
import { Certificate, OID, type RevocationEvidence, RevocationSource } from '#signatures/pki';
import { newKey } from '#testkit/pki/signing-requests';
import { PROFILES, testUnit, withExtensions } from '#testkit/pki/test-certificates';
import { testCrl } from '#testkit/pki/test-crl';

import { assembleSignature, type Evidence } from '../assemble-signature.js';
import { buildContainer } from '../build-container.js';
import { CertificateNotGood, CollectEvidence } from '../collect-evidence.js';
import { forgeContainer } from '#testkit/asic/forge-container';
import { type Signed, type Signer, SigningKit } from '#testkit/asic/signing-kit';
import { verifyContainer } from './verify-container.js';

const HOUR = 3_600_000;

let kit: SigningKit;
beforeAll(async () => {
  kit = await SigningKit.open();
});

/** A phone whose certificate names a list and no responder. `age`: of the certificate, milliseconds. */
const listedPhone = async (age = 48 * HOUR): Promise<Signer> => {
  const keys = newKey['P-256']();
  const point = new CRLDistributionPointsExtension(['http://localhost:3000/pki/issuing.crl']);
  const profile = withExtensions(PROFILES.signer(), [OID.authorityInfoAccess], point);
  const now = kit.clock.now();
  const { certificate } = await testUnit({ profile, issuer: kit.pki.issuing, now, notBefore: now - age, keys });
  return { keys, certificate, chain: [kit.pki.issuing.certificate, kit.pki.root.certificate] };
};

interface ListTimes {
  /** From the time-stamp on, milliseconds. */
  readonly made?: number;
  readonly revoked?: boolean;
}

const listAbout = ({ signer }: Signed, { made = 0, revoked = false }: ListTimes): RevocationEvidence => {
  const now = kit.clock.now() + made;
  const der = testCrl({
    signer: kit.pki.issuing,
    now,
    nextUpdate: now + 24 * HOUR,
    revoked: revoked ? [Certificate.parse(signer.certificate)] : [],
  });
  return { type: 'crl', der, status: revoked ? 'revoked' : 'good', producedAt: now };
};

const lists = (evidence: Evidence): readonly RevocationEvidence[] =>
  evidence.level === 'LT' ? evidence.revocation.filter(({ type }) => type === 'crl') : [];

/** The report on a container that says by a list whether its signer was revoked. `keep`: the other statements that stay. */
const reportOn = async (phone: Signer, times: ListTimes = {}, keep: (evidence: Evidence) => readonly RevocationEvidence[] = lists) => {
  const evidence = async (signed: Signed): Promise<Evidence> => {
    const good = await kit.evidence(signed);
    if (good.level !== 'LT') throw new TypeError('level LT expected');
    return { ...good, revocation: [listAbout(signed, times), ...keep(good)] };
  };
  return verifyContainer(await forgeContainer(kit, { phone, evidence }), { trust: kit.trust, now: kit.clock.now() });
};

describe('a list about the signer', () => {
  it.each([-23 * HOUR, 0, HOUR])('proves level LT where the CA has no responder: made %d ms from the time-stamp', async (made) => {
    const phone = await listedPhone();
    const stamped = kit.clock.now() + 5000;
    expect(await reportOn(phone, { made })).toMatchObject({
      verdict: 'TOTAL_PASSED',
      findings: [],
      level: 'LT',
      revocationCheckedAt: stamped + made,
    });
  });

  it.each([
    ['once it had ended', 48 * HOUR, -25 * HOUR],
    ['about a certificate that is younger', HOUR, -2 * HOUR],
  ])('proves nothing %s', async (_, age, made) => {
    const { level, findings } = await reportOn(await listedPhone(age), { made });
    expect(level).toBe('T');
    expect(findings.map(({ rule }) => rule)).toEqual(['revocation', 'level']);
  });

  it('that calls the signer revoked makes the container invalid, before the time-stamp or after it', async () => {
    expect(await reportOn(await listedPhone(), { made: -1000, revoked: true })).toMatchObject({ verdict: 'TOTAL_FAILED', subIndication: 'REVOKED' });
    expect(await reportOn(await listedPhone(), { made: HOUR, revoked: true })).toMatchObject({
      verdict: 'INDETERMINATE',
      subIndication: 'REVOKED_NO_POE',
    });
  });

  it('decides against a response of the responder that says good', async () => {
    const all = (evidence: Evidence): readonly RevocationEvidence[] => (evidence.level === 'LT' ? evidence.revocation : []);
    expect(await reportOn(await kit.signer(), { revoked: true }, all)).toMatchObject({ verdict: 'TOTAL_FAILED', subIndication: 'REVOKED' });
    expect(await reportOn(await kit.signer(), {}, all)).toMatchObject({ verdict: 'TOTAL_PASSED', findings: [] });
  });

  it('of a CA with a responder must be made after the time-stamp: a thief of the key would choose one from before the revocation', async () => {
    const { level, findings } = await reportOn(await kit.signer(), { made: -1000 });
    expect(level).toBe('T');
    expect(findings.map(({ rule }) => rule)).toContain('revocation');
    expect(await reportOn(await kit.signer(), { made: 1000 })).toMatchObject({ verdict: 'TOTAL_PASSED', level: 'LT' });
  });
});

describe('a container that proves by a list that its signer was good', () => {
  /** The statements about the signer by lists, all others by the development trust service. */
  class ListSource extends RevocationSource {
    constructor(private readonly list: () => RevocationEvidence) {
      super();
    }
    override ask(): Promise<RevocationEvidence> {
      return Promise.resolve(this.list());
    }
    override current(certificate: Certificate, issuer: Certificate): Promise<RevocationEvidence> {
      return kit.revocationSource.current(certificate, issuer);
    }
  }
  const build = async (times: ListTimes, phone?: Signer): Promise<Buffer> => {
    const signed = kit.sign(phone ?? (await listedPhone()));
    const { signature, signingTime, signer, prepared } = signed;
    const collect = new CollectEvidence(kit.timestampAuthority, new ListSource(() => listAbout(signed, times)));
    const evidence = await collect.execute(signer, await collect.stamp({ signature, signingTime }));
    const { manifest } = prepared;
    const cms = assembleSignature({ ...signer, ...prepared, signature, evidence });
    return buildContainer({ manifest, signature: cms, level: 'LT', signingTime, trust: kit.trust, now: kit.clock.now() });
  };

  it('is built with the list that holds, also one that is older than the time-stamp', async () => {
    expect(await verifyContainer(await build({ made: -HOUR }), { trust: kit.trust, now: kit.clock.now() })).toMatchObject({
      subIndication: 'SIGNED_DATA_NOT_FOUND',
      findings: [],
      level: 'LT',
    });
  });

  it('is not built when the list calls the signer revoked', async () => {
    await expect(build({ revoked: true })).rejects.toThrow(CertificateNotGood);
  });

  it('waits for a list that is as young as the certificate', async () => {
    const failed = build({ made: -2 * HOUR }, await listedPhone(HOUR));
    await expect(failed).rejects.toThrow(ServiceUnavailable);
    await expect(failed).rejects.toThrow(/older than the signer's certificate/);
  });

  it('whose responder gives no usable answer needs a list from after the time-stamp, and waits for it', async () => {
    expect(await verifyContainer(await build({}, await kit.signer()), { trust: kit.trust, now: kit.clock.now() })).toMatchObject({
      subIndication: 'SIGNED_DATA_NOT_FOUND',
      findings: [],
      level: 'LT',
    });
    const failed = build({ made: -1000 }, await kit.signer());
    await expect(failed).rejects.toThrow(ServiceUnavailable);
    await expect(failed).rejects.toThrow(/the list of revoked certificates is older than the time-stamp/);
  });
});
