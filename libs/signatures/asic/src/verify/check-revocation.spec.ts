import { beforeAll, describe, expect, it } from '@jest/globals';

import { Certificate, isUniversal, type RevocationEvidence } from '#signatures/pki';
import { PROFILES, testUnit } from '#testkit/pki/test-certificates';
import { testCrl } from '#testkit/pki/test-crl';
import { unverifiedOcsp } from '#testkit/pki/unverified-evidence';

import type { Evidence } from '../assemble-signature.js';
import { forgeContainer } from '#testkit/asic/forge-container';
import { type Signed, SigningKit } from '#testkit/asic/signing-kit';
import { verifyContainer } from './verify-container.js';

const HOUR = 3_600_000;

let kit: SigningKit;
beforeAll(async () => {
  kit = await SigningKit.open();
});

const parsed = ({ certificate }: { readonly certificate: Buffer }): Certificate => Certificate.parse(certificate);
const crl = (der: Buffer): RevocationEvidence => ({ type: 'crl', der, status: 'good', producedAt: kit.clock.now() });

/** The findings about a container whose lists of revoked certificates are these; `good` is the one that belongs there. */
const findings = async (lists: (good: readonly RevocationEvidence[]) => readonly RevocationEvidence[]) => {
  const evidence = async (signed: Signed): Promise<Evidence> => {
    const good = await kit.evidence(signed);
    if (good.level !== 'LT') throw new TypeError('level LT expected');
    const isCrl = ({ type }: RevocationEvidence): boolean => type === 'crl';
    return { ...good, revocation: [...good.revocation.filter((each) => !isCrl(each)), ...lists(good.revocation.filter(isCrl))] };
  };
  const report = await verifyContainer(await forgeContainer(kit, { evidence }), { trust: kit.trust, now: kit.clock.now() });
  return report.findings.map(({ rule, message }) => `${rule}: ${message}`);
};

const ISSUING = '"Countersign Issuing CA (TEST, not qualified)"';
const TIME_STAMPING = '"Countersign Time-Stamping Unit (TEST, not qualified)"';
const { stringMatching } = expect;

describe("the CA's statement about the signer", () => {
  it.each([
    [23, []],
    [25, ["time-order: the CA's statement about the signer had ended before the signature was time-stamped"]],
  ])('without an end holds for a day: known %d hours before the time-stamp (RFC 6960 §4.2.2.1)', async (hours, expected) => {
    const evidence = async (signed: Signed): Promise<Evidence> => {
      const good = await kit.evidence(signed);
      if (good.level !== 'LT') throw new TypeError('level LT expected');
      const now = kit.clock.now();
      const answer = await unverifiedOcsp(kit.pki, { certificate: signed.signer.certificate, now, knownAt: now - hours * HOUR });
      return { ...good, revocation: [...good.revocation.filter(({ type }) => type === 'crl'), answer] };
    };
    const report = await verifyContainer(await forgeContainer(kit, { evidence }), { trust: kit.trust, now: kit.clock.now() });
    expect(report.findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual(expected);
  });
});

describe("the CA's statement about the signer in a container", () => {
  const about = async (answer: (signed: Signed, now: number) => Promise<readonly RevocationEvidence[]>) => {
    const evidence = async (signed: Signed): Promise<Evidence> => {
      const good = await kit.evidence(signed);
      if (good.level !== 'LT') throw new TypeError('level LT expected');
      return { ...good, revocation: [...good.revocation.filter(({ type }) => type === 'crl'), ...(await answer(signed, kit.clock.now()))] };
    };
    const report = await verifyContainer(await forgeContainer(kit, { evidence }), { trust: kit.trust, now: kit.clock.now() });
    return report.findings.map(({ rule, message }) => `${rule}: ${message}`);
  };
  const ocsp = ({ signer }: Signed, answer: { now: number; revokedAt?: number; known?: boolean }) =>
    unverifiedOcsp(kit.pki, { certificate: signer.certificate, ...answer });

  it.each([
    ['an hour before', -HOUR],
    ['at the moment of', 0],
  ])('says that it was revoked %s the time-stamp: invalid', async (_, since) => {
    const found = await about(async (signed, now) => [await ocsp(signed, { now, revokedAt: Math.floor(now / 1000) * 1000 + since })]);
    expect(found).toEqual(["revoked: the CA says about the signer's certificate: revoked"]);
  });

  it('says that it does not know it', async () => {
    expect(await about(async (signed, now) => [await ocsp(signed, { now, known: false })])).toEqual([
      "revocation: the CA does not know the signer's certificate",
    ]);
  });

  it.each([0, 1])('contradicts another one: revoked counts, whichever comes first (%d)', async (first) => {
    const both = async (signed: Signed, now: number) => [await ocsp(signed, { now }), await ocsp(signed, { now, revokedAt: now - HOUR })];
    const found = await about(async (signed, now) => {
      const answers = await both(signed, now);
      return first === 0 ? answers : answers.toReversed();
    });
    expect(found).toEqual(["revoked: the CA says about the signer's certificate: revoked"]);
    const unknown = await about(async (signed, now) => [await ocsp(signed, { now }), await ocsp(signed, { now, known: false })]);
    expect(unknown).toEqual(["revocation: the CA does not know the signer's certificate"]);
  });

  it('is missing', async () => {
    expect(await about(async () => [])).toContain("revocation: no valid answer of the CA about the signer's certificate is in the container");
  });

  it('may be a list, made after the time-stamp', async () => {
    expect(await about(async (_, now) => [crl(testCrl({ signer: kit.pki.issuing, now }))])).toEqual([]);
  });

  it('was made before the time-stamp', async () => {
    expect(await about(async (signed, now) => [await ocsp(signed, { now: now - 2_000 })])).toEqual([
      'time-order: the CA was asked about the signer before the signature was time-stamped',
    ]);
  });
});

describe('the certificates of the trust service in a container', () => {
  it('are proven good by the lists of their CA', async () => {
    expect(await findings((good) => good)).toEqual([]);
    expect(await findings(() => [crl(testCrl({ signer: kit.pki.root, now: kit.clock.now() }))])).toEqual([]);
  });

  it('make it invalid when the CA of the signer was revoked', async () => {
    const list = testCrl({ signer: kit.pki.root, now: kit.clock.now(), revoked: [parsed(kit.pki.issuing)] });
    expect(await findings(() => [crl(list)])).toEqual([`revoked-authority: ${ISSUING} was revoked`]);
  });

  it('make it invalid when the time-stamping unit was revoked', async () => {
    const list = testCrl({ signer: kit.pki.root, now: kit.clock.now(), revoked: [parsed(kit.pki.timestamping)] });
    expect(await findings(() => [crl(list)])).toEqual([`revoked-authority: ${TIME_STAMPING} was revoked`]);
  });

  it('need a list that was current at the time-stamp', async () => {
    const now = kit.clock.now();
    const old = testCrl({ signer: kit.pki.root, now: now - 2 * 3_600_000, nextUpdate: now - 3_600_000 });
    expect(await findings(() => [crl(old)])).toEqual([
      stringMatching(/^revocation: nothing .* Issuing CA/),
      stringMatching(/^revocation: nothing .* Time-Stamping/),
    ]);
  });

  it('need a list that their CA signed: another one proves nothing, and does no harm beside the right one', async () => {
    const foreign = (await SigningKit.open(kit.clock.now())).pki.root;
    const forged = crl(testCrl({ signer: foreign, issuer: kit.pki.root, now: kit.clock.now() }));
    expect(await findings((good) => [forged, ...good])).toEqual([]);
    expect(await findings((good) => [...good, forged])).toEqual([]);
    expect(await findings(() => [forged])).toEqual([
      stringMatching(/^revocation: nothing .* Issuing CA/),
      stringMatching(/^revocation: nothing .* Time-Stamping/),
    ]);
  });

  it('need an answer of a responder that held at the time-stamp, where there is no list', async () => {
    const now = kit.clock.now();
    const DAY = 86_400_000;
    const { root } = kit.pki;
    const responder = await testUnit({ profile: PROFILES.responder(), issuer: root, now, notBefore: now - 700 * DAY });
    const answers = (at: number): Promise<RevocationEvidence[]> =>
      Promise.all([kit.pki.issuing, kit.pki.timestamping].map((unit) => unverifiedOcsp({ issuing: root, responder }, { ...unit, now: at })));
    const [fresh, old] = [await answers(now), await answers(now - 600 * DAY)];
    expect((await findings(() => fresh)).filter((finding) => finding.startsWith('revocation'))).toEqual([]);
    expect((await findings(() => old)).filter((finding) => finding.startsWith('revocation'))).toEqual([
      stringMatching(/^revocation: nothing .* Issuing CA/),
      stringMatching(/^revocation: nothing .* Time-Stamping/),
    ]);
  });

  it('make it invalid when a responder says revoked, beside a list that does not', async () => {
    const now = kit.clock.now();
    const { root } = kit.pki;
    const responder = await testUnit({ profile: PROFILES.responder(), issuer: root, now });
    const answer = await unverifiedOcsp({ issuing: root, responder }, { ...kit.pki.issuing, now, revokedAt: now - HOUR });
    expect(await findings((good) => [...good, answer])).toContain(`revoked-authority: ${ISSUING} was revoked`);
  });

  it('do not help a signer whom the CA does not know', async () => {
    const evidence = async (signed: Signed): Promise<Evidence> => {
      const good = await kit.evidence(signed);
      if (good.level !== 'LT') throw new TypeError('level LT expected');
      const unknown = await unverifiedOcsp(kit.pki, { certificate: signed.signer.certificate, now: kit.clock.now(), known: false });
      return { ...good, revocation: [...good.revocation.filter(({ type }) => type === 'crl'), unknown] };
    };
    const report = await verifyContainer(await forgeContainer(kit, { evidence }), { trust: kit.trust, now: kit.clock.now() });
    expect(report.findings.map(({ message }) => message)).toEqual(["the CA does not know the signer's certificate"]);
  });

  it('have no list when the container holds none', async () => {
    const container = await forgeContainer(kit, { crls: (all) => all.filter((node) => !isUniversal(node)) });
    const { findings: found } = await verifyContainer(container, { trust: kit.trust, now: kit.clock.now() });
    expect(found.map(({ rule }) => rule)).toEqual(['revocation', 'revocation']);
  });
});
