import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { beforeAll, describe, expect, it } from '@jest/globals';

import { Certificate, contents, raw, sequence, TAG, TrustStore } from '#signatures/pki';
import { forgeContainer } from '#testkit/asic/forge-container';
import { type Signed, SigningKit } from '#testkit/asic/signing-kit';
import { unverifiedOcsp } from '#testkit/pki/unverified-evidence';

import type { Evidence } from '../assemble-signature.js';
import { verifyContainer } from '../verify/verify-container.js';
import { readEvidence } from './read-evidence.js';

const vector = (name: string): Promise<Buffer> => readFile(resolve('test/vectors/asic', name));
const blob = (bytes: Uint8Array): Blob => new Blob([bytes as Uint8Array<ArrayBuffer>]);
const LEVELS = ['B', 'T', 'LT'] as const;
const CONTAINERS = ['P-256', 'P-384', 'RSA'].flatMap((key) => [...LEVELS.map((level) => `${key}-${level}`), `${key}-LT-complete`]);

let trust: TrustStore;
beforeAll(async () => {
  const pem = (await vector('root.pem')).toString();
  trust = new TrustStore([Certificate.parse(Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64'))]);
});

describe('the evidence of a container', () => {
  it.each(CONTAINERS)('is what the verifier finds: %s', async (name) => {
    const bytes = await vector(`${name}.asice`);
    const report = await verifyContainer(bytes, { trust, now: Date.UTC(2027, 0, 1), level: 'B' });
    expect(report.signer?.issuer).toBeDefined();
    expect(await readEvidence(blob(bytes))).toEqual({
      signer: report.signer?.name,
      issuer: report.signer?.issuer,
      signingTime: report.signingTime,
      timeStamp: report.timeStampedAt && { at: report.timeStampedAt, authority: report.timeStampAuthority },
      calledGoodAt: report.revocationCheckedAt,
    });
  });

  it('grows with the level', async () => {
    const [b, t, lt] = await Promise.all(LEVELS.map(async (level) => readEvidence(blob(await vector(`P-256-${level}.asice`)))));
    expect([b?.timeStamp, b?.calledGoodAt, t?.calledGoodAt]).toEqual([undefined, undefined, undefined]);
    expect(t?.timeStamp?.authority).toBe(lt?.timeStamp?.authority);
    expect(lt?.calledGoodAt).toBeGreaterThanOrEqual(Math.floor((lt?.timeStamp?.at ?? Infinity) / 1000) * 1000);
  });

  it('calls no certificate good about which the answers contradict each other', async () => {
    const kit = await SigningKit.open();
    const evidence = async (signed: Signed): Promise<Evidence> => {
      const good = await kit.evidence(signed);
      if (good.level !== 'LT') throw new TypeError('level LT expected');
      const now = kit.clock.now();
      const revoked = await unverifiedOcsp(kit.pki, { certificate: signed.signer.certificate, now, revokedAt: now - 1000 });
      return { ...good, revocation: [...good.revocation, revoked] };
    };
    expect((await readEvidence(blob(await forgeContainer(kit))))?.calledGoodAt).toBeDefined();
    expect(await readEvidence(blob(await forgeContainer(kit, { evidence })))).toMatchObject({ calledGoodAt: undefined });
  });

  it('finds the signer whose issuer is named in another case', async () => {
    const kit = await SigningKit.open();
    const signerIdentifier = (certificate: Certificate) => {
      const other = Buffer.from(certificate.issuer.toString('latin1').replace('Countersign', 'COUNTERSIGN'), 'latin1');
      expect(other).not.toEqual(certificate.issuer);
      return sequence(raw(other), contents(TAG.integer, certificate.serial));
    };
    expect((await readEvidence(blob(await forgeContainer(kit, { signerIdentifier }))))?.signer).toBe('Mari-Liis Männik');
  });

  it('is absent where the bytes are no container, or end early', async () => {
    const bytes = await vector('P-256-LT.asice');
    expect(await readEvidence(blob(Buffer.from('hello')))).toBeUndefined();
    expect(await readEvidence(blob(bytes.subarray(0, -1)))).toBeUndefined();
  });

  it('is absent or an answer, and never an exception, after the change of any one byte', async () => {
    const bytes = await vector('P-256-LT.asice');
    for (let at = 0; at < bytes.length; at += 13) {
      const wrong = Buffer.from(bytes);
      wrong[at] = (wrong[at] ?? 0) ^ 0x21;
      const evidence = await readEvidence(blob(wrong));
      expect(evidence === undefined || typeof evidence.signer === 'string').toBe(true);
    }
  });
});
