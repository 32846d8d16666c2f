import { beforeAll, describe, expect, it } from '@jest/globals';

import { contents, TAG, TrustStore } from '#signatures/pki';
import { unverifiedOcsp } from '#testkit/pki/unverified-evidence';

import type { Evidence } from '../../assemble-signature.js';
import { entriesOf, forgeContainer, pack } from '#testkit/asic/forge-container';
import { type ReadReport, readReport } from '#testkit/asic/read-report';
import { FILE_NAME, type Signed, SigningKit } from '#testkit/asic/signing-kit';
import { validateContainer } from '../verify-container.js';
import { validationReport } from './validation-report.js';

let kit: SigningKit;
let complete: Buffer;
beforeAll(async () => {
  kit = await SigningKit.open();
  complete = await forgeContainer(kit);
});

const reportOn = async (container: Buffer, trust = kit.trust): Promise<ReadReport> =>
  readReport(validationReport(await validateContainer(container, { trust, now: kit.clock.now() })));
const withoutFile = async (): Promise<Buffer> => pack((await entriesOf(complete)).filter(({ name }) => name !== FILE_NAME));
const mainIndication = (name: string): string => `urn:etsi:019102:mainindication:${name}`;
const subIndication = (name: string): string => `urn:etsi:019102:subindication:${name}`;

describe('the validation report by ETSI TS 119 102-2', () => {
  it('of a valid container names the verdict, the times and the signer', async () => {
    const now = new Date(kit.clock.now()).toISOString();
    const { texts } = await reportOn(complete);
    // the time-stamp's own report comes after that of the signature
    expect(texts('MainIndication')).toEqual([mainIndication('total-passed'), mainIndication('passed')]);
    expect(texts('SubIndication')).toEqual([]);
    expect(texts('ValidationConstraintIdentifier')).toEqual([]);
    expect(texts('ValidationTime')).toEqual([now]);
    expect(texts('POETime')).toEqual([now]);
    expect(texts('TimeStampValue')).toEqual([now]);
    expect(texts('Time')).toEqual([new Date(kit.clock.now() - 5000).toISOString()]);
    expect(texts('Signer')).toEqual(['Mari-Liis Männik']);
    expect(texts('SignatureValidationProcessID')).toEqual(['urn:etsi:019102:validationprocess:LTVM']);
    expect(texts('DocHashOnly')).toEqual(['false']);
  });

  it('holds the certificates, the time-stamp and the revocation data as validation objects, and the chains refer to them', async () => {
    const { objects, references, texts } = await reportOn(complete);
    const certificates = objects('certificate');
    expect(certificates).toHaveLength(4);
    expect([objects('timestamp'), objects('OCSPResponse'), objects('CRL')].map(({ length }) => length)).toEqual([1, 1, 1]);
    expect(references('RelatedValidationObject')).toEqual([...objects('timestamp'), ...objects('OCSPResponse'), ...objects('CRL')]);
    const root = `C-${kit.trust.anchors[0]?.fingerprint ?? ''}`;
    expect(references('TrustAnchor')).toEqual([root, root]);
    expect(references('SignerCertificate')).toEqual(references('CertificateChain><vr:SigningCertificate'));
    expect(new Set([...references('SignerCertificate'), ...references('IntermediateCertificate'), root])).toEqual(new Set(certificates));
    expect(references('SignersDocumentRepresentation')).toEqual(objects('signedData'));
    expect(texts('URI')).toEqual(['contract%20%26%20%22draft%22.pdf']);
  });

  it('of a container without its file says that only the hash was there', async () => {
    const { texts } = await reportOn(await withoutFile());
    expect(texts('MainIndication')[0]).toBe(mainIndication('indeterminate'));
    expect(texts('SubIndication')).toEqual([subIndication('SIGNED_DATA_NOT_FOUND')]);
    expect(texts('DocHashOnly')).toEqual(['true']);
  });

  it('names the rule that was broken as a constraint, with its reason', async () => {
    const entries = await entriesOf(complete);
    const changed = await pack(entries.map((entry) => (entry.name === FILE_NAME ? { ...entry, content: Buffer.from('another') } : entry)));
    const { texts } = await reportOn(changed);
    expect(texts('MainIndication').slice(0, 2)).toEqual([mainIndication('failed'), mainIndication('total-failed')]);
    expect(texts('SubIndication')).toEqual([subIndication('HASH_FAILURE'), subIndication('HASH_FAILURE')]);
    expect(texts('ValidationConstraintIdentifier')).toEqual(['urn:oid:1.3.6.1.4.1.32473.1.3#file-changed']);
    expect(texts('Indications')).toEqual(['the file in the container is not the one that was signed']);
  });

  it('of a signature that is not trusted holds its objects all the same, and neither chain nor proven time', async () => {
    const { texts, objects, references } = await reportOn(complete, new TrustStore([]));
    expect(texts('MainIndication').slice(-2)).toEqual([mainIndication('indeterminate'), mainIndication('indeterminate')]);
    expect(references('TrustAnchor')).toEqual([]);
    expect(references('POEObject')).toEqual([]);
    expect(texts('SignatureValidationProcessID')).toEqual(['urn:etsi:019102:validationprocess:Basic']);
    expect(objects('timestamp')).toHaveLength(1);
    expect(objects('OCSPResponse')).toHaveLength(1);
  });

  it('tells when the signer was revoked, and by which answer', async () => {
    const revokedAt = kit.clock.now() - 60_000;
    const evidence = async (signed: Signed): Promise<Evidence> => {
      const good = await kit.evidence(signed);
      if (good.level !== 'LT') throw new TypeError('level LT expected');
      const answer = await unverifiedOcsp(kit.pki, { certificate: signed.signer.certificate, now: kit.clock.now(), revokedAt });
      return { ...good, revocation: [answer, ...good.revocation.filter(({ type }) => type === 'crl')] };
    };
    const { texts, references, objects } = await reportOn(await forgeContainer(kit, { evidence }));
    expect(texts('SubIndication')).toContain(subIndication('REVOKED'));
    expect(texts('RevocationTime')).toEqual([new Date(Math.floor(revokedAt / 1000) * 1000).toISOString()]);
    expect(references('RevocationObject')).toEqual(objects('OCSPResponse'));
    expect(references('ValidationObjectId')).toEqual(references('SignerInformation><vr:SignerCertificate').slice(0, 1));
  });

  it('of a file that is no container holds the verdict alone', async () => {
    const { texts, objects } = await reportOn(Buffer.from('hello'));
    expect(texts('MainIndication')).toEqual([mainIndication('failed'), mainIndication('total-failed')]);
    expect([objects('signedData'), objects('certificate')]).toEqual([[], []]);
  });

  it('of a signature with malformed revocation data, which nothing reads without a trusted chain, leaves that out', async () => {
    const malformed = contents(TAG.constructed(1), Buffer.of(4, 1, 0));
    const container = await forgeContainer(kit, { crls: (all) => [...all, malformed] });
    const { objects } = await reportOn(container, new TrustStore([]));
    expect([objects('OCSPResponse'), objects('CRL')]).toEqual([[], []]);
    expect(objects('timestamp')).toHaveLength(1);
  });

  it('cannot be broken by the name of a file', async () => {
    const container = await pack([...(await entriesOf(complete)), { name: '"><vr:MainIndication>&\uFFFE', content: Buffer.of(1) }]);
    expect((await reportOn(container)).texts('Indications')).toEqual([
      '&quot;\\&quot;&gt;&lt;vr:MainIndication&gt;&amp;\uFFFD&quot; is in the container but was not signed',
    ]);
  });
});
