import { constants, sign } from 'node:crypto';

import { beforeAll, describe, expect, it } from '@jest/globals';

import { type DerNode, oid, OID, sequence } from '#signatures/pki';
import { pssAlgorithm } from '#testkit/pki/resigned';

import { forgeContainer, type Forgery } from '#testkit/asic/forge-container';
import { type Signer, SigningKit } from '#testkit/asic/signing-kit';
import { verifyContainer } from './verify-container.js';

let kit: SigningKit;
let phone: Signer;
beforeAll(async () => {
  kit = await SigningKit.open();
  phone = await kit.signer('RSA');
});

const findings = async (forgery: Forgery): Promise<readonly string[]> => {
  const report = await verifyContainer(await forgeContainer(kit, forgery), { trust: kit.trust, now: kit.clock.now() });
  return report.findings.map(({ rule, message }) => `${rule}: ${message}`);
};

describe('a signature by RSASSA-PSS', () => {
  const PSS = constants.RSA_PKCS1_PSS_PADDING;
  const findingsOf = (identifier: DerNode, saltLength: number, padding = PSS): Promise<readonly string[]> =>
    findings({
      phone,
      algorithm: { identifier, sign: (toBeSigned, key) => sign('sha256', toBeSigned, { key, padding, ...(padding === PSS && { saltLength }) }) },
    });

  it('is accepted with the salt and the hash that its parameters name', async () => {
    expect(await findingsOf(pssAlgorithm(OID.sha256, 32), 32)).toEqual([]);
    expect(await findingsOf(pssAlgorithm(OID.sha256, 20), 20)).toEqual([]);
  });

  it.each([
    { wrong: 'another salt than it names', identifier: pssAlgorithm(OID.sha256, 32), saltLength: 20 },
    { wrong: 'another hash than the digest algorithm', identifier: pssAlgorithm(OID.sha384, 32) },
    { wrong: 'a mask of another hash', identifier: pssAlgorithm(OID.sha256, 32, OID.sha1) },
    { wrong: 'the padding of PKCS#1 v1.5', identifier: pssAlgorithm(OID.sha256, 32), padding: constants.RSA_PKCS1_PADDING },
  ])('is refused with $wrong', async ({ identifier, saltLength = 32, padding }) => {
    expect((await findingsOf(identifier, saltLength, padding)).join()).toContain('signature-value: ');
  });

  it('may have another hash than SHA-512, which PKCS#1 v1.5 may not', async () => {
    const plain: Forgery['algorithm'] = {
      identifier: sequence(oid(OID.sha256WithRsa)),
      sign: (toBeSigned, key) => sign('sha256', toBeSigned, key),
    };
    const found = await findings({ phone, algorithm: plain });
    expect(found).toEqual(['algorithm: key and hash of the signature do not belong together, or are too weak']);
  });
});
