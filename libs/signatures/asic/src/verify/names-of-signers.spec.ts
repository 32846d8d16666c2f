import { beforeAll, describe, expect, it } from '@jest/globals';
import { type JsonNameParams, Name } from '@peculiar/x509';

import { OID } from '#signatures/pki';
import { newKey } from '#testkit/pki/signing-requests';
import { PROFILES, testUnit } from '#testkit/pki/test-certificates';

import { forgeContainer } from '#testkit/asic/forge-container';
import { SigningKit } from '#testkit/asic/signing-kit';
import { explainReport } from './explain-report.js';
import type { ContainerReport } from './report.js';
import { verifyContainer } from './verify-container.js';

let kit: SigningKit;
beforeAll(async () => {
  kit = await SigningKit.open();
});

/** The report on a container whose signer's certificate names this subject, as the CAs of other services write them. */
const reportOn = async (subject: JsonNameParams): Promise<ContainerReport> => {
  const keys = newKey['P-256']();
  const profile = { ...PROFILES.signer(), subject: new Name(subject) };
  const { certificate } = await testUnit({ profile, issuer: kit.pki.issuing, now: kit.clock.now(), keys });
  const phone = { keys, certificate, chain: [kit.pki.issuing.certificate, kit.pki.root.certificate] };
  return verifyContainer(await forgeContainer(kit, { phone }), { trust: kit.trust, now: kit.clock.now() });
};
const who = (report: ContainerReport): string | undefined => explainReport(report).find((line) => line.startsWith('Who'));

describe('the name of a signer', () => {
  it('who is a legal person is told with the registration (EN 319 412-3)', async () => {
    const report = await reportOn([
      { [OID.countryName]: [{ printableString: 'EE' }] },
      { [OID.organizationName]: [{ utf8String: 'Pank AS' }] },
      { [OID.organizationIdentifier]: [{ utf8String: 'NTREE-10060701' }] },
      { [OID.commonName]: [{ utf8String: 'Pank AS e-tempel' }] },
    ]);
    expect(report).toMatchObject({
      verdict: 'TOTAL_PASSED',
      signer: { name: 'Pank AS e-tempel', organization: 'Pank AS', organizationIdentifier: 'NTREE-10060701', country: 'EE' },
    });
    expect(who(report)).toBe('Who    "Pank AS e-tempel", organization "Pank AS", NTREE-10060701, EE');
  });

  it('who has no other name is that of the organization', async () => {
    const report = await reportOn([{ [OID.organizationName]: [{ utf8String: 'Šokolaad OÜ' }] }]);
    expect(report).toMatchObject({ verdict: 'TOTAL_PASSED', signer: { name: 'Šokolaad OÜ' } });
    expect(who(report)).toBe('Who    "Šokolaad OÜ"');
  });

  it('who signs for an organization is told with it (EN 319 412-2)', async () => {
    const report = await reportOn([
      { [OID.givenName]: [{ utf8String: 'Mari' }] },
      { [OID.surname]: [{ utf8String: 'Männik' }] },
      { [OID.organizationName]: [{ utf8String: 'Pank AS' }] },
      { [OID.organizationIdentifier]: [{ utf8String: 'VATEE-100600701' }] },
    ]);
    expect(who(report)).toBe('Who    "Mari Männik", organization "Pank AS", VATEE-100600701');
  });

  it('is read whole where an authority writes more than the 64 characters that RFC 5280 allows', async () => {
    const name = 'Ž'.repeat(200);
    const report = await reportOn([{ [OID.commonName]: [{ utf8String: name }] }]);
    expect(report).toMatchObject({ verdict: 'TOTAL_PASSED', signer: { name } });
  });
});
