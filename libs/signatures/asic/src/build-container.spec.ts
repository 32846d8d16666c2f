import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { ServiceUnavailable } from '#kernel';
import { type Certificate, RevocationSource, TimestampAuthority } from '#signatures/pki';
import { PROFILES, testUnit, withExtensions } from '#testkit/pki/test-certificates';
import { unverifiedOcsp, unverifiedTimeStamp } from '#testkit/pki/unverified-evidence';

import { assembleSignature, type SignatureParts } from './assemble-signature.js';
import { attachBlob } from './attach/attach-blob.js';
import { buildContainer, type ContainerOrder, ContainerRefused } from './build-container.js';
import { CertificateNotGood, CollectEvidence } from './collect-evidence.js';
import { isSignedDataName } from './signed-data-name.js';
import { FILE, type Signed, type Signer, SigningKit } from '#testkit/asic/signing-kit';
import { verifyContainer } from './verify/verify-container.js';

let kit: SigningKit;
let signer: Signer;
beforeAll(async () => {
  kit = await SigningKit.open();
  signer = await kit.signer();
});
type Parts = SignatureParts & Pick<ContainerOrder, 'manifest' | 'signingTime' | 'trust' | 'now'>;
const build = (parts: Parts): Promise<Buffer> => buildContainer({ ...parts, signature: assembleSignature(parts), level: parts.evidence.level });
const order = async (signed: Signed): Promise<Parts> => ({
  ...signed.signer,
  ...signed.prepared,
  signature: signed.signature,
  signingTime: signed.signingTime,
  evidence: await kit.evidence(signed),
  trust: kit.trust,
  now: kit.clock.now(),
});

describe('a container', () => {
  it('is the same for the same parts, byte for byte, in every time zone', async () => {
    const parts = await order(kit.sign(signer));
    const first = await build(parts);
    expect((await build(parts)).equals(first)).toBe(true);
    // DOS time and date of 2026-06-01T12:00:00Z and after, in any time zone of this machine
    expect(first.readUInt16LE(10) >> 11).toBe(12);
  });

  it('begins as EN 319 162-1 wants it', async () => {
    const container = await build(await order(kit.sign(signer)));
    expect(container.toString('latin1', 30, 69)).toBe('mimetypeapplication/vnd.etsi.asic-e+zip');
    expect(container.subarray(0, 4).toString('hex')).toBe('504b0304');
    expect(container.readUInt16LE(6) & ~0x0800).toBe(0);
    expect(container.readUInt16LE(8)).toBe(0);
    expect(container.readUInt32LE(14).toString(16)).toBe('45f9218a');
    expect([container.readUInt32LE(18), container.readUInt32LE(22), container.readUInt16LE(26), container.readUInt16LE(28)]).toEqual([31, 31, 8, 0]);
  });

  it('can be completed and verified under any legal name, with a file of any size', async () => {
    const anyName = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }).filter(isSignedDataName);
    await fc.assert(
      fc.asyncProperty(anyName, fc.uint8Array({ maxLength: 5000 }), async (name, file) => {
        const container = await kit.container(kit.sign(signer, name, file));
        const completed = await attachBlob(new Blob([container as Buffer<ArrayBuffer>]), new Blob([file as Uint8Array<ArrayBuffer>]));
        const report = await verifyContainer(new Uint8Array(await completed.arrayBuffer()), { trust: kit.trust, now: kit.clock.now() });
        expect(report).toMatchObject({ verdict: 'TOTAL_PASSED', findings: [], signedDataName: name });
      }),
      { numRuns: 40 },
    );
  });

  it.each(['a..b.pdf', 'C:x.pdf', 'C:D:x.pdf', 'META-INFO.txt', 'meta-inf.xml', 'a\u200eb\u200fc.pdf', 'a\u061cb.pdf'])(
    'can be completed and verified with the name %j',
    async (name) => {
      const container = await kit.container(kit.sign(signer, name));
      const completed = await attachBlob(new Blob([container as Buffer<ArrayBuffer>]), new Blob([FILE]));
      const report = await verifyContainer(new Uint8Array(await completed.arrayBuffer()), { trust: kit.trust, now: kit.clock.now() });
      expect(report).toMatchObject({ verdict: 'TOTAL_PASSED', findings: [], signedDataName: name });
    },
  );

  it('is not handed out when it breaks a rule', async () => {
    const signed = kit.sign(signer);
    const good = await order(signed);
    if (good.evidence.level !== 'LT') throw new TypeError('level LT expected');
    const { evidence } = good;
    const refused = async (otherwise: Partial<Parts>, rule: string): Promise<void> => {
      const error: unknown = await build({ ...good, ...otherwise }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ContainerRefused);
      expect((error as ContainerRefused).findings.map((finding) => finding.rule)).toContain(rule);
    };
    await refused({ manifest: Buffer.concat([Buffer.from(good.manifest), Buffer.from(' ')]) }, 'manifest');
    await refused({ signature: kit.sign(signer).signature }, 'signature-value');
    await refused({ certificate: (await kit.signer()).certificate }, 'signature-value');
    await refused({ chain: [] }, 'trust');
    await refused({ evidence: { ...evidence, timeStamp: await kit.timestampAuthority.stamp(Buffer.from('other')) } }, 'time-stamp');
    await refused({ evidence: { ...evidence, revocation: [] } }, 'level');
    await refused({ evidence: { ...evidence, revocation: evidence.revocation.filter(({ type }) => type === 'ocsp') } }, 'revocation');
    const early = await unverifiedOcsp(kit.pki, { certificate: signer.certificate, now: evidence.timeStamp.genTime - 1000 });
    await refused({ evidence: { ...evidence, revocation: [early, ...evidence.revocation.filter(({ type }) => type === 'crl')] } }, 'time-order');
    const unit = await testUnit({ profile: withExtensions(PROFILES.timestamping(), ['2.5.29.37']), issuer: kit.pki.root, now: kit.clock.now() });
    await refused(
      { evidence: { ...evidence, timeStamp: unverifiedTimeStamp(unit, kit.pki.root, { data: signed.signature, now: kit.clock.now() }) } },
      'time-stamp',
    );
  });
});

describe('collecting evidence', () => {
  const collect = (revocationSource: RevocationSource = kit.revocationSource) => {
    const evidence = new CollectEvidence(kit.timestampAuthority, revocationSource);
    return { of: async (signed: Signed) => evidence.execute(signed.signer, await evidence.stamp(signed)) };
  };

  it('asks about the signer after the time-stamp, and about every certificate of the trust services', async () => {
    const { timeStamp, revocation } = await collect().of(kit.sign(signer));
    expect(revocation.map(({ type, status }) => [type, status])).toEqual([
      ['ocsp', 'good'],
      ['crl', 'good'],
      ['crl', 'good'],
    ]);
    expect(revocation[0]?.producedAt).toBeGreaterThanOrEqual(timeStamp.genTime);
  });

  it.each([
    [{ status: 'unknown' }, 'unknown'],
    [{ status: 'revoked', at: 0 }, 'revoked'],
  ] as const)('stops for good when the CA says %j', async (state, status) => {
    kit.state = state;
    await expect(collect().of(kit.sign(signer))).rejects.toMatchObject({ name: 'CertificateNotGood', status });
    kit.state = { status: 'good' };
  });

  it('fails for good when a certificate of the trust services is revoked', async () => {
    const revokedCa = new (class extends RevocationSource {
      override ask = kit.revocationSource.ask.bind(kit.revocationSource);
      override current = async (certificate: Certificate, issuer: Certificate) => ({
        ...(await kit.revocationSource.current(certificate, issuer)),
        status: 'revoked' as const,
      });
    })();
    await expect(collect(revokedCa).of(kit.sign(signer))).rejects.toBeInstanceOf(CertificateNotGood);
  });

  it('may be repeated when a time-stamp does not fit the signing time', async () => {
    const signed = kit.sign(signer);
    for (const signingTime of [signed.signingTime - 8 * 60_000, kit.clock.now() + 61_000]) {
      await expect(collect().of({ ...signed, signingTime })).rejects.toBeInstanceOf(ServiceUnavailable);
    }
  });

  it('may be repeated when the time-stamping authority is unavailable', async () => {
    const unavailable = new (class extends TimestampAuthority {
      override stamp = () => Promise.reject(new ServiceUnavailable('unavailable'));
    })();
    await expect(new CollectEvidence(unavailable, kit.revocationSource).stamp(kit.sign(signer))).rejects.toBeInstanceOf(ServiceUnavailable);
  });
});
