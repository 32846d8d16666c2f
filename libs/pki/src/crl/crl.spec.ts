import { beforeAll, describe, expect, it } from '@jest/globals';

import { Certificate } from '../certificates/certificate.js';
import { boolean, contents, type DerNode, encode, integer, octetString, oid, sequence, TAG, tagged } from '../der/der.js';
import { OID } from '../der/oids.js';
import { type DevelopmentKit, developmentKit } from '../testing/development-kit.js';
import { PROFILES, testUnit } from '../testing/test-certificates.js';
import { type TestCrl, testCrl } from '../testing/test-crl.js';
import { BadCrl, crlIssuer, statusIn, verifyCrl } from './crl.js';

let kit: DevelopmentKit;
beforeAll(async () => {
  kit = await developmentKit();
});

const list = (otherwise: Partial<TestCrl> = {}): Buffer => testCrl({ signer: kit.pki.issuing, now: kit.clock.now(), ...otherwise });
const refuses = (crl: Uint8Array, reason: RegExp, issuer: Certificate = kit.issuing): void => {
  expect(() => verifyCrl(crl, issuer)).toThrow(BadCrl);
  expect(() => verifyCrl(crl, issuer)).toThrow(reason);
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
    refuses(list({ signer: kit.pki.root }), /of another issuer/);
  });

  it('is refused when its issuer did not sign it', () => {
    refuses(list({ signer: kit.pki.root, issuer: kit.pki.issuing }), /signature is wrong/);
  });

  it('is refused from a certificate that may not sign lists', async () => {
    const signer = await testUnit({ profile: PROFILES.signer(), issuer: kit.pki.issuing, now: kit.clock.now() });
    refuses(list({ signer }), /may not sign CRLs/, Certificate.parse(signer.certificate));
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

  it('survives the change of any one byte: refused, or accepted with the same content', () => {
    const good = list({ revoked: [kit.signer] });
    const verified = verifyCrl(good, kit.issuing);
    let refused = 0;
    for (let at = 0; at < good.length; at += 1) {
      const wrong = Buffer.from(good);
      wrong[at] = (wrong[at] ?? 0) ^ 1;
      try {
        expect(verifyCrl(wrong, kit.issuing)).toMatchObject({ ...verified, crl: wrong });
      } catch (error) {
        expect(error).toBeInstanceOf(BadCrl);
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(good.length - 10);
  });
});
