import { beforeAll, describe, expect, it } from '@jest/globals';

import { Certificate, OID, readSignedData, soleValue, TrustStore } from '#signatures/pki';

import { attachBlob } from '../attach/attach-blob.js';
import { SIGNATURE_ENTRY } from '../container-layout.js';
import { entriesOf, forgeContainer, pack } from '#testkit/asic/forge-container';
import { readReport } from '#testkit/asic/read-report';
import { FILE, FILE_NAME, SigningKit } from '#testkit/asic/signing-kit';
import type { WrongContainer } from '#testkit/asic/wrong-container';
import { wrongContainers } from '#testkit/asic/wrong-containers';
import { validationReport } from './etsi-report/validation-report.js';
import { validateContainer, verifyContainer } from './verify-container.js';

let kit: SigningKit;
beforeAll(async () => {
  kit = await SigningKit.open();
});
const judge = (container: Uint8Array, now = kit.clock.now()) => verifyContainer(container, { trust: kit.trust, now });
const completed = async (container: Buffer): Promise<Uint8Array> =>
  new Uint8Array(await (await attachBlob(new Blob([container as Buffer<ArrayBuffer>]), new Blob([FILE]))).arrayBuffer());

describe('a container', () => {
  it.each(['P-256', 'P-384', 'RSA'] as const)('signed with a %s key is valid, without its file and with it', async (type) => {
    const container = await kit.container(kit.sign(await kit.signer(type)));
    expect(await judge(container)).toMatchObject({ verdict: 'INDETERMINATE', subIndication: 'SIGNED_DATA_NOT_FOUND', findings: [], level: 'LT' });
    expect(await judge(await completed(container))).toMatchObject({ verdict: 'TOTAL_PASSED', findings: [] });
  });

  it('that was valid before is refused after the change of a byte of its signature file', async () => {
    const container = await kit.container(kit.sign(await kit.signer()));
    const entries = await entriesOf(container);
    const holding = (p7s: Buffer) => pack(entries.map((entry) => (entry.name === SIGNATURE_ENTRY ? { ...entry, content: p7s } : entry)));
    const isValid = async (p7s: Buffer): Promise<boolean> => (await judge(await holding(p7s))).findings.length === 0;
    const p7s = entries.find(({ name }) => name === SIGNATURE_ENTRY)?.content ?? Buffer.alloc(0);
    expect(await isValid(p7s)).toBe(true);
    // the token comes last, and its signature at its end; before that stand fields that no signature covers
    const token = soleValue(readSignedData(p7s, 1 << 20).signer.unsigned, OID.signatureTimeStamp)?.bytes ?? Buffer.alloc(0);
    const places = [...p7s.keys()].filter((at) => at % 13 === 0 && (at < p7s.indexOf(token) || at > p7s.length - 60));
    const wronglyValid: number[] = [];
    for (const at of places) {
      const changed = Buffer.from(p7s);
      changed[at] = (changed[at] ?? 0) ^ 0x01;
      if (await isValid(changed)) wronglyValid.push(at);
    }
    expect(wronglyValid).toEqual([]);
    expect(places.length).toBeGreaterThan(300);
    expect(await isValid(p7s)).toBe(true);
  });

  it('reports the signer, the signed file, the times and the trust services', async () => {
    const signed = kit.sign(await kit.signer());
    const report = await judge(await completed(await kit.container(signed)));
    expect(report).toEqual({
      verdict: 'TOTAL_PASSED',
      findings: [],
      documents: [{ name: FILE_NAME, hash: report.signedDataHash, present: true }],
      signedDataName: FILE_NAME,
      signedDataHash:
        '020da0f4d8a4c8bfbc98274027740061d7df52ee07091ed6595a083e0f45327bbe59424312d86f218b74ed2e25507abaf5c7a5fcf4cafcf9538b705808fd55ec',
      signer: {
        name: 'Mari-Liis Männik',
        givenName: 'Mari-Liis',
        familyName: 'Männik',
        serialNumber: 'PNOEE-47101010033',
        country: 'EE',
        issuer: 'Countersign Issuing CA (TEST, not qualified)',
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      level: 'LT',
      signingTime: signed.signingTime,
      timeStampedAt: signed.signingTime + 5000,
      timeStampAuthority: 'Countersign Time-Stamping Unit (TEST, not qualified)',
      revocationCheckedAt: signed.signingTime + 5000,
      root: { name: 'Countersign Root CA (TEST, not qualified)', fingerprint: kit.trust.anchors[0]?.fingerprint },
    });
  });

  it.each(['B', 'T'] as const)('of level %s is valid where that level is enough, and nowhere else', async (level) => {
    const container = await kit.container(kit.sign(await kit.signer()), level);
    expect(await verifyContainer(container, { trust: kit.trust, now: kit.clock.now(), level })).toMatchObject({
      verdict: 'INDETERMINATE',
      subIndication: 'SIGNED_DATA_NOT_FOUND',
      level,
    });
    expect(await judge(container)).toMatchObject({
      verdict: 'INDETERMINATE',
      subIndication: 'SIG_CONSTRAINTS_FAILURE',
      findings: [{ rule: 'level' }],
    });
  });

  it('is not valid when no root is trusted, or another one', async () => {
    const container = await kit.container(kit.sign(await kit.signer()));
    const other = (await SigningKit.open()).trust;
    for (const trust of [new TrustStore([]), other]) {
      const { verdict, findings } = await verifyContainer(container, { trust, now: kit.clock.now() });
      expect(verdict).toBe('INDETERMINATE');
      expect(findings.map(({ rule }) => rule)).toEqual(expect.arrayContaining(['trust', 'time-stamp']));
    }
  });

  it('proves nothing after the certificate of its time-stamping unit has expired', async () => {
    const container = await kit.container(kit.sign(await kit.signer()));
    const fiveYears = 5 * 366 * 24 * 3_600_000;
    expect(await judge(container, kit.clock.now() + fiveYears)).toMatchObject({
      verdict: 'INDETERMINATE',
      subIndication: 'REVOCATION_OUT_OF_BOUNDS_NO_POE',
      findings: [{ rule: 'lifetime' }],
    });
  });

  it('is not valid with a certificate that nothing in it uses', async () => {
    const other = Certificate.parse((await kit.signer()).certificate);
    const { findings } = await judge(await forgeContainer(kit, { certificates: (all) => [...all, other] }));
    expect(findings).toEqual([{ rule: 'signature-format', message: 'the signature holds a certificate that nothing in it uses' }]);
  });

  it('made by forgeContainer without a forgery is valid', async () => {
    expect(await judge(await forgeContainer(kit))).toMatchObject({ verdict: 'TOTAL_PASSED', findings: [] });
  });
});

describe('a wrong container', () => {
  it('is refused for each rule that it breaks, in a validation report too', async () => {
    const wrong: readonly WrongContainer[] = await wrongContainers(kit);
    const reports = await Promise.all(
      wrong.map(async ({ title, container, rule }) => {
        const validation = await validateContainer(container, { trust: kit.trust, now: kit.clock.now() });
        const { verdict, findings } = validation.report;
        const constraints = readReport(validationReport(validation)).texts('ValidationConstraintIdentifier');
        const told = constraints.some((constraint) => constraint.endsWith(`#${rule}`));
        return { title, passed: verdict === 'TOTAL_PASSED', rule, found: findings.some((finding) => finding.rule === rule) || findings, told };
      }),
    );
    expect(reports).toEqual(wrong.map(({ title, rule }) => ({ title, passed: false, rule, found: true, told: true })));
  });
});
