import { BasicConstraintsExtension, CRLDistributionPointsExtension, KeyUsageFlags, KeyUsagesExtension } from '@peculiar/x509';
import { beforeAll, describe, expect, it } from '@jest/globals';

import { Certificate } from '../certificates/certificate.js';
import { boolean, contents, type DerNode, encode, integer, octetString, oid, sequence, TAG, tagged } from '../der/der.js';
import { MalformedDer } from '../der/malformed-der.js';
import { OID } from '../der/oids.js';
import { type DevelopmentKit, developmentKit } from '#testkit/pki/development-kit';
import { PROFILES, testUnit, withExtensions } from '#testkit/pki/test-certificates';
import { type TestCrl, testCrl } from '#testkit/pki/test-crl';
import { BadCrl, crlIssuer, revokedAtIn, statusIn, verifyCrl } from './crl.js';

let kit: DevelopmentKit;
beforeAll(async () => {
  kit = await developmentKit();
});

const list = (otherwise: Partial<TestCrl> = {}): Buffer => testCrl({ signer: kit.pki.issuing, now: kit.clock.now(), ...otherwise });
const refuses = (crl: Uint8Array, reason: RegExp, issuer: Certificate = kit.issuing): void => {
  expect(() => verifyCrl(crl, issuer)).toThrow(BadCrl);
  expect(() => verifyCrl(crl, issuer)).toThrow(reason);
  expect(() => verifyCrl(crl, issuer)).toThrow(expect.objectContaining({ name: 'BadCrl' }));
};
/** The certificate of an issuer with this key usage. */
const issuerWith = async (usage: KeyUsageFlags, isCa: boolean) => {
  const kinds = [new BasicConstraintsExtension(isCa, undefined, true), new KeyUsagesExtension(usage, true)];
  const profile = withExtensions(PROFILES.signer(), [OID.basicConstraints, OID.keyUsage], ...kinds);
  return testUnit({ profile, issuer: kit.pki.issuing, now: kit.clock.now() });
};

describe('a list of revoked certificates', () => {
  it('tells which certificates its issuer revoked, and its times', () => {
    const now = kit.clock.now();
    const crl = verifyCrl(list({ revoked: [kit.signer], nextUpdate: now + 60_000 }), kit.issuing);
    expect(crl).toMatchObject({ thisUpdate: now, nextUpdate: now + 60_000 });
    expect(statusIn(crl, kit.signer)).toBe('revoked');
    expect(statusIn(crl, kit.issuing)).toBe('good');
    expect(statusIn(verifyCrl(list(), kit.issuing), kit.signer)).toBe('good');
  });

  it('names its issuer', () => {
    expect(crlIssuer(list())).toEqual(kit.issuing.subject);
  });

  it('is refused when it is of another issuer', () => {
    refuses(list({ signer: kit.pki.root }), /^the CRL is of another issuer$/);
  });

  it('is refused when its issuer did not sign it', () => {
    refuses(list({ signer: kit.pki.root, issuer: kit.pki.issuing }), /^the CRL's signature is wrong$/);
  });

  it('is refused from a certificate that may not sign lists: of no CA, or for other uses', async () => {
    const { cRLSign, keyCertSign } = KeyUsageFlags;
    for (const [usage, isCa] of [
      [cRLSign, false],
      [keyCertSign, true],
    ] as const) {
      const signer = await issuerWith(usage, isCa);
      refuses(list({ signer }), /^the issuer may not sign CRLs$/, Certificate.parse(signer.certificate));
    }
    const signer = await issuerWith(cRLSign, true);
    expect(verifyCrl(list({ signer }), Certificate.parse(signer.certificate)).revoked.size).toBe(0);
  });

  it('is refused with an outdated algorithm', () => {
    const ecdsaWithSha1 = '1.2.840.10045.4.1';
    refuses(list({ algorithm: sequence(oid(ecdsaWithSha1)) }), /^the CRL is signed by an outdated algorithm$/);
  });

  it('is refused in another version than 2', () => {
    refuses(list({ version: 0 }), /^the CRL is malformed: .*CRL version 2 expected/);
    expect(() => verifyCrl(list({ version: 0 }), kit.issuing)).toThrow(expect.objectContaining({ cause: expect.any(MalformedDer) }));
  });

  it('is verified once while it stays the same: it is in every container', () => {
    const same = list();
    expect(verifyCrl(Buffer.from(same), kit.issuing)).toBe(verifyCrl(same, kit.issuing));
    expect(verifyCrl(list({ revoked: [kit.signer] }), kit.issuing)).not.toBe(verifyCrl(same, kit.issuing));
  });

  it('is refused with a critical extension that is not understood, and accepted with others', () => {
    const extension = (type: string, critical: boolean) => sequence(oid(type), ...(critical ? [boolean(true)] : []), octetString(encode(integer(1))));
    const deltaCrlIndicator = '2.5.29.27';
    refuses(list({ extensions: [extension(deltaCrlIndicator, true)] }), /critical extension/);
    for (const extensions of [[extension('1.2.3', false)], [extension(OID.crlNumber, true)]]) {
      expect(verifyCrl(list({ extensions }), kit.issuing).revoked.size).toBe(0);
    }
  });

  describe('with an issuing distribution point (RFC 5280 §5.2.5)', () => {
    const TRUE = Buffer.of(0xff);
    const scoped = (...fields: readonly DerNode[]): Buffer =>
      list({ extensions: [sequence(oid(OID.issuingDistributionPoint), boolean(true), octetString(encode(sequence(...fields))))] });
    const flag = (number: number): DerNode => contents(TAG.primitive(number), TRUE);
    const at = (url: string): DerNode => tagged(0, tagged(0, contents(TAG.primitive(6), Buffer.from(url))));
    const status = (crl: Buffer, certificate: Certificate) => statusIn(verifyCrl(crl, kit.issuing), certificate);

    it('speaks about all certificates when it names no limit', () => {
      expect([status(scoped(), kit.signer), status(scoped(), kit.issuing)]).toEqual(['good', 'good']);
    });

    it('speaks about the certificates of users or of authorities alone', () => {
      expect([status(scoped(flag(1)), kit.signer), status(scoped(flag(1)), kit.issuing)]).toEqual(['good', 'unknown']);
      expect([status(scoped(flag(2)), kit.signer), status(scoped(flag(2)), kit.issuing)]).toEqual(['unknown', 'good']);
    });

    it('speaks about the certificates that name its address', () => {
      const [url = ''] = kit.issuing.crlUrls;
      expect([status(scoped(at(url)), kit.issuing), status(scoped(at('http://elsewhere/root.crl')), kit.issuing)]).toEqual(['good', 'unknown']);
    });

    it('speaks about certificates that name one of its addresses, among others', async () => {
      const points = new CRLDistributionPointsExtension(['http://one/a.crl', 'http://two/a.crl']);
      const profile = withExtensions(PROFILES.signer(), [OID.crlDistributionPoints], points);
      const { certificate } = await testUnit({ profile, issuer: kit.pki.issuing, now: kit.clock.now() });
      const named = Certificate.parse(certificate);
      const both = tagged(
        0,
        tagged(0, contents(TAG.primitive(6), Buffer.from('http://two/a.crl')), contents(TAG.primitive(6), Buffer.from('http://x/'))),
      );
      expect([status(scoped(at('http://two/a.crl')), named), status(scoped(both), named), status(scoped(at('http://x/')), named)]).toEqual([
        'good',
        'good',
        'unknown',
      ]);
    });

    it('tells no time of a revocation that it does not speak about', () => {
      const fields = sequence(oid(OID.issuingDistributionPoint), boolean(true), octetString(encode(sequence(flag(2)))));
      const verified = verifyCrl(list({ revoked: [kit.signer], extensions: [fields] }), kit.issuing);
      expect([statusIn(verified, kit.signer), revokedAtIn(verified, kit.signer)]).toEqual(['unknown', undefined]);
      expect(revokedAtIn(verifyCrl(list({ revoked: [kit.signer] }), kit.issuing), kit.signer)).toBe(kit.clock.now());
    });

    it.each([
      ['some reasons only', () => scoped(contents(TAG.primitive(3), Buffer.of(1, 2)))],
      ['certificates of other issuers', () => scoped(flag(4))],
      ['attribute certificates', () => scoped(flag(5))],
      ['users alone and authorities alone', () => scoped(flag(1), flag(2))],
    ])('is refused when it is for %s', (_, crl) => refuses(crl(), /for some reasons, other issuers or no certificates/));
  });

  it('is refused when it is no CRL', () => {
    refuses(Buffer.from('<html>'), /malformed/);
    refuses(Buffer.concat([list(), Buffer.of(0)]), /malformed/);
  });
});
