import { beforeAll, describe, expect, it } from '@jest/globals';
import { ExtendedKeyUsageExtension, KeyUsageFlags, KeyUsagesExtension } from '@peculiar/x509';

import { Certificate } from '../certificates/certificate.js';
import { issueCertificate, newSerial } from '../certificates/issue-certificate.js';
import { TrustStore } from '../certificates/trust-store.js';
import { boolean, contents, type DerNode, encode, integer, octetString, oid, raw, sequence, TAG } from '../der/der.js';
import { DerReader } from '../der/der-reader.js';
import { OID } from '../der/oids.js';
import { answerTimeStamp, DEVELOPMENT_TSA_POLICY, timeStampToken } from '../development/answer-time-stamp.js';
import { issuerOf, type TrustServiceUnit } from '../development/development-pki.js';
import { indefinite } from '#testkit/pki/ber';
import { type DevelopmentKit, developmentKit } from '#testkit/pki/development-kit';
import { type OtherSignature, resignedToken, RIGHT_PSS, WRONG_PSS } from '#testkit/pki/resigned';
import { newKey, spkiOf } from '#testkit/pki/signing-requests';
import { PROFILES, testUnit, withExtensions } from '#testkit/pki/test-certificates';
import { encodeTimeStampRequest, imprintOf, newNonce, readTimeStampRequest, type TimeStampRequest } from './time-stamp-request.js';
import { acceptTimeStampResponse } from './time-stamp-response.js';
import { BadTimeStamp, endOfTimeStamp, readTimeStampToken, verifyTimeStampToken } from './time-stamp-token.js';

const MINUTE = 60_000;
const data = Buffer.from('the octets of a signature');

let kit: DevelopmentKit;
let request: TimeStampRequest;
beforeAll(async () => {
  kit = await developmentKit();
  request = { hash: 'sha512', imprint: imprintOf('sha512', data), nonce: newNonce(kit.randomness), policy: undefined, certificateRequested: true };
});

/** A granted response, with the given parts different from the request. */
const response = (otherwise: Partial<TimeStampRequest> & { unit?: TrustServiceUnit; now?: number; extensions?: readonly DerNode[] } = {}): Buffer => {
  const { unit = kit.pki.timestamping, now = kit.clock.now(), extensions = [], ...wanted } = otherwise;
  const by = { unit, now, extensions, randomness: kit.randomness };
  return encode(sequence(sequence(integer(0)), raw(timeStampToken({ ...request, ...wanted }, by))));
};
const accept = (der: Buffer, asked: Partial<TimeStampRequest> = {}, pool: readonly Certificate[] = []) =>
  acceptTimeStampResponse(der, { request: { ...request, ...asked }, data, clock: kit.clock, trust: kit.trust, pool });
const refuses = (der: Buffer, reason: RegExp, asked: Partial<TimeStampRequest> = {}): void => {
  expect(() => accept(der, asked)).toThrow(BadTimeStamp);
  expect(() => accept(der, asked)).toThrow(reason);
};
/** The value with one of its parts, given by its encoding, replaced. */
const replaced = (reader: DerReader, part: Buffer, by: DerNode): DerNode => {
  if (reader.bytes.equals(part)) return by;
  if (!(reader.tag & 0x20)) return raw(reader.bytes);
  return contents(reader.tag, Buffer.concat(reader.members().map((member) => encode(replaced(member, part, by)))));
};
/** Indefinite lengths in the ContentInfo only: 30 80 oid A0 80 SignedData 00 00 00 00. */
const outerOnly = (der: Buffer): Buffer => {
  const [type, content] = DerReader.parse(der, der.length).members();
  const signedData = content?.only(TAG.constructed(0)).bytes ?? Buffer.of();
  return Buffer.concat([Buffer.of(0x30, 0x80), type?.bytes ?? Buffer.of(), Buffer.of(0xa0, 0x80), signedData, Buffer.of(0, 0, 0, 0)]);
};
const tamper = (der: Buffer, at: number): Buffer => {
  const wrong = Buffer.from(der);
  wrong[at] = (wrong[at] ?? 0) ^ 1;
  return wrong;
};

describe('a time-stamp request', () => {
  it('is read as it was written', () => {
    for (const policy of [undefined, '1.2.3']) {
      for (const nonce of [undefined, request.nonce]) {
        for (const certificateRequested of [true, false]) {
          const written = { ...request, policy, nonce, certificateRequested };
          expect(readTimeStampRequest(encodeTimeStampRequest(written))).toEqual(written);
        }
      }
    }
  });

  it('that cannot be met is answered with a rejection, not an exception', () => {
    const by = { unit: kit.pki.timestamping, now: kit.clock.now(), randomness: kit.randomness };
    refuses(answerTimeStamp(Buffer.from('junk'), by), /refused with status 2/);
    refuses(answerTimeStamp(encodeTimeStampRequest({ ...request, policy: '1.2.3' }), by), /refused with status 2/);
    const sha1 = encode(sequence(integer(1), sequence(sequence(raw(Buffer.from('06052b0e03021a', 'hex'))), contents(4, Buffer.alloc(20)))));
    refuses(answerTimeStamp(sha1, by), /refused with status 2/);
  });
});

describe('a time-stamp response', () => {
  it('is accepted when it answers the request', () => {
    expect(accept(response())).toMatchObject({ genTime: kit.clock.now(), policy: DEVELOPMENT_TSA_POLICY });
    expect(accept(response({ policy: DEVELOPMENT_TSA_POLICY }), { policy: DEVELOPMENT_TSA_POLICY }).policy).toBe(DEVELOPMENT_TSA_POLICY);
  });

  it('is accepted without its chain when the chain is configured', () => {
    const bare = response({ certificateRequested: false });
    refuses(bare, /certificate is missing/);
    expect(accept(bare, {}, [Certificate.parse(kit.pki.timestamping.certificate)]).chain).toHaveLength(2);
  });

  it('must carry the imprint of the data', () => refuses(response({ imprint: imprintOf('sha512', Buffer.from('else')) }), /over something else/));
  it('must use the hash asked for', () => refuses(response({ hash: 'sha256', imprint: imprintOf('sha256', data) }), /another imprint/));
  it('must repeat the nonce', () => {
    refuses(response({ nonce: newNonce(kit.randomness) }), /another nonce/);
    refuses(response({ nonce: undefined }), /another nonce/);
  });
  it('must have the policy asked for', () => refuses(response(), /another policy/, { policy: '1.2.3' }));
  it('must be of this minute', () => {
    expect(accept(response({ now: kit.clock.now() - MINUTE }))).toBeDefined();
    refuses(response({ now: kit.clock.now() - MINUTE - 1000 }), /clock and ours disagree/);
    refuses(response({ now: kit.clock.now() + MINUTE + 1000 }), /clock and ours disagree/);
  });

  it('may say that it is qualified (EN 319 422 §9.1)', () => {
    const qcStatements = sequence(oid('1.3.6.1.5.5.7.1.3'), octetString(encode(sequence(sequence(oid('0.4.0.19422.1.1'))))));
    expect(accept(response({ extensions: [qcStatements] })).genTime).toBe(kit.clock.now());
  });
  it('must not carry a critical extension', () => {
    refuses(response({ extensions: [sequence(oid('1.2.3'), boolean(true), octetString(Buffer.of(5, 0)))] }), /critical extension .* of TSTInfo/);
  });
  it('must not carry an empty or malformed list of extensions', () => {
    refuses(response({ extensions: [sequence(oid('1.2.3'))] }), /malformed/);
  });

  it('must be signed by its unit, bit for bit', () => {
    const good = response();
    const { signature } = readTimeStampToken(accept(good).token).signedData.signer;
    refuses(tamper(good, good.indexOf(signature) + signature.length - 1), /signature is wrong|malformed/);
    refuses(tamper(good, good.indexOf(request.imprint)), /over something else/);
  });

  it('may be BER, of one value and no more', () => {
    const good = response();
    const content = good.subarray(4);
    const ber = Buffer.concat([Buffer.of(0x30, 0x80), content, Buffer.of(0, 0)]);
    expect(accept(ber)).toEqual(accept(good));
    for (const wrong of [ber.subarray(0, -1), Buffer.concat([ber, Buffer.of(0)])]) refuses(wrong, /malformed/);
    refuses(Buffer.concat([good, Buffer.of(0)]), /malformed/);
    refuses(Buffer.alloc(70_000, 0x30), /more than 65536 bytes/);
  });

  it.each([
    ['is not for time-stamping', () => withExtensions(PROFILES.timestamping(), [OID.extKeyUsage]), /for time-stamping alone/],
    [
      'is not marked critical',
      () => withExtensions(PROFILES.timestamping(), [OID.extKeyUsage], new ExtendedKeyUsageExtension([OID.kpTimeStamping])),
      /for time-stamping alone/,
    ],
    [
      'is for other things too',
      () => withExtensions(PROFILES.timestamping(), [OID.extKeyUsage], new ExtendedKeyUsageExtension([OID.kpTimeStamping, OID.kpOcspSigning], true)),
      /for time-stamping alone/,
    ],
    [
      'is for encryption',
      () => withExtensions(PROFILES.timestamping(), [OID.keyUsage], new KeyUsagesExtension(KeyUsageFlags.keyEncipherment, true)),
      /not for signatures/,
    ],
  ])('is refused when the unit’s certificate %s', async (_, profile, reason) => {
    refuses(response({ unit: await testUnit({ profile: profile(), issuer: kit.pki.root, now: kit.clock.now() }) }), reason);
  });

  it('is refused when the unit’s certificate had ended, or had not begun', async () => {
    const now = kit.clock.now();
    const profile = PROFILES.timestamping();
    refuses(response({ unit: await testUnit({ profile, issuer: kit.pki.root, now, notAfter: now - 1000 }) }), /not trusted/);
    refuses(response({ unit: await testUnit({ profile, issuer: kit.pki.root, now, notBefore: now + 1000 }) }), /not trusted/);
  });

  it('is refused from a unit of another root, and from one whose issuer is no CA', async () => {
    const foreign = await developmentKit(kit.clock.now());
    refuses(response({ unit: foreign.pki.timestamping }), /not trusted/);
    const unit = await testUnit({ profile: PROFILES.timestamping(), issuer: kit.pki.timestamping, now: kit.clock.now() });
    const bare = response({ unit });
    expect(() => accept(bare, {}, [Certificate.parse(kit.pki.timestamping.certificate)])).toThrow('not trusted');
  });

  it('must name the very certificate of its unit', async () => {
    const keys = newKey['P-256']();
    const serial = newSerial(kit.randomness);
    const issue = (notAfter: number): Promise<Buffer> =>
      issueCertificate(
        { profile: PROFILES.timestamping(), spki: spkiOf(keys.publicKey), serial, notBefore: kit.clock.now() - MINUTE, notAfter },
        issuerOf(kit.pki.root),
      );
    const [first, second] = await Promise.all([issue(kit.clock.now() + MINUTE), issue(kit.clock.now() + 2 * MINUTE)]);
    const bare = response({ unit: { certificate: first, privateKey: keys.privateKey }, certificateRequested: false });
    expect(accept(bare, {}, [Certificate.parse(first)])).toBeDefined();
    expect(() => accept(bare, {}, [Certificate.parse(second)])).toThrow("does not name the unit's certificate");
  });

  it('may name its unit by the identifier of the key; a malformed one in a certificate is a fault of the token', () => {
    const unit = Certificate.parse(kit.pki.timestamping.certificate);
    const inCertificate = unit.extensions.get(OID.subjectKeyIdentifier)?.value ?? Buffer.alloc(0);
    const named = (identifier: Buffer, certificate = unit.der): Buffer => {
      const issuerAndSerial = encode(sequence(raw(unit.issuer), contents(TAG.integer, unit.serial)));
      const good = response({ unit: { ...kit.pki.timestamping, certificate } });
      const signer =
        DerReader.parse(good, 1 << 16)
          .members()[1]
          ?.members()[1]
          ?.members()[0]
          ?.members()
          .at(-1)
          ?.members()[0]?.bytes ?? Buffer.of();
      const [, , ...rest] = DerReader.parse(signer, 1 << 16).members();
      expect(signer.includes(issuerAndSerial)).toBe(true);
      // RFC 5652 §5.3: version 3
      const other = sequence(integer(3), contents(TAG.primitive(0), identifier), ...rest.map(({ bytes }) => raw(bytes)));
      return encode(replaced(DerReader.parse(good, 1 << 16), signer, other));
    };
    const identifier = DerReader.parse(inCertificate, 1 << 16).octets();
    expect(accept(named(identifier)).genTime).toBe(kit.clock.now());
    refuses(named(Buffer.of(1, 2, 3)), /certificate is missing/);
    refuses(named(identifier, tamper(unit.der, unit.der.indexOf(inCertificate))), /the token is malformed: tag 0x04 expected/);
  });

  it('is refused with a trust store that is empty', () => {
    const { token } = accept(response());
    expect(() => verifyTimeStampToken(token, data, { trust: new TrustStore([]), pool: [kit.root] })).toThrow('not trusted');
  });

  it('survives the change of any one byte: refused, or accepted with the same time', () => {
    const good = response();
    const { genTime } = accept(good);
    for (let at = 0; at < good.length; at += 1) {
      try {
        // parts that no signature covers may have another value
        expect(accept(tamper(good, at)).genTime).toBe(genTime);
      } catch (error) {
        expect(error).toBeInstanceOf(BadTimeStamp);
      }
    }
  });
});

describe('a time-stamp signed by RSASSA-PSS', () => {
  let unit: TrustServiceUnit;
  let plain: Buffer;
  beforeAll(async () => {
    unit = await testUnit({ profile: PROFILES.timestamping(), issuer: kit.pki.root, now: kit.clock.now(), keys: newKey.RSA() });
    plain = accept(response({ unit })).token;
  });
  const signedAs = (how: OtherSignature): Buffer => encode(sequence(sequence(integer(0)), raw(resignedToken(plain, unit.privateKey, how))));

  it('is accepted, and its algorithm has no end', () => {
    const stamped = accept(signedAs(RIGHT_PSS));
    expect([stamped.genTime, stamped.token.equals(plain)]).toEqual([kit.clock.now(), false]);
    expect(endOfTimeStamp(stamped)).toBe(stamped.chain[0].notAfter);
  });

  it.each(WRONG_PSS)('is refused with $wrong', (how) => refuses(signedAs(how), /signature is wrong|outdated algorithm/));
});

describe('a time-stamp that is not DER from end to end', () => {
  const token = (): Buffer =>
    timeStampToken(request, { unit: kit.pki.timestamping, now: kit.clock.now(), extensions: [], randomness: kit.randomness });

  it.each([1, 2, 3])('is taken in BER, %d levels deep, and kept in DER with its signed parts as they are', (depth) => {
    const der = token();
    for (const given of [indefinite(der, depth), outerOnly(der)]) {
      expect(verifyTimeStampToken(given, data, { trust: kit.trust, pool: [] }).token).toEqual(der);
      const granted = Buffer.concat([Buffer.of(0x30, 0x80), encode(sequence(integer(0))), given, Buffer.of(0, 0)]);
      expect(accept(granted).token).toEqual(der);
    }
  });

  it('is taken with its content in pieces', () => {
    const der = token();
    const content = DerReader.parse(der, der.length).members()[1]?.only(TAG.constructed(0)).members()[2]?.members()[1]?.only(TAG.constructed(0));
    const [octets, whole] = [content?.octets() ?? Buffer.of(), content?.bytes ?? Buffer.of()];
    const pieces = contents(0x24, Buffer.concat([octets.subarray(0, 40), octets.subarray(40)].map((piece) => encode(octetString(piece)))));
    const inPieces = encode(replaced(DerReader.parse(der, der.length), whole, pieces));
    expect(verifyTimeStampToken(inPieces, data, { trust: kit.trust, pool: [] }).token).toEqual(der);
  });

  it('is refused with BER in its signed attributes, whose signature is over other bytes', () => {
    const der = token();
    const at = der.lastIndexOf(Buffer.from([0xa0, 0x81]));
    expect(at).toBeGreaterThan(0);
    const attributes = DerReader.parse(der.subarray(at, at + 3 + (der[at + 2] ?? 0)), der.length);
    const changed = Buffer.concat([der.subarray(0, at), Buffer.of(0xa0, 0x80), ...attributes.members().map(({ bytes }) => bytes)]);
    const rest = der.subarray(at + attributes.bytes.length);
    // the same attributes with another order of bytes outside are the same signed value; a change inside is not
    expect(() => verifyTimeStampToken(tamper(Buffer.concat([changed, Buffer.of(0, 0), rest]), at + 4), data, { trust: kit.trust, pool: [] })).toThrow(
      BadTimeStamp,
    );
  });
});

describe('the versions in a time-stamp, which no signature covers', () => {
  it.each([0, 1, 2, 4, 5, 77])('are those of RFC 5652 §5.1: %d is refused', (version) => {
    const der = timeStampToken(request, { unit: kit.pki.timestamping, now: kit.clock.now(), extensions: [], randomness: kit.randomness });
    const verify = (token: Buffer) => verifyTimeStampToken(token, data, { trust: kit.trust, pool: [] });
    const content = DerReader.parse(der, der.length).members()[1]?.only(TAG.constructed(0)).members() ?? [];
    const places = [content[0], content.at(-1)?.only(TAG.set).members()[0]];
    expect(places.map((place) => place?.small())).toEqual([3, 1]);
    expect(verify(der).genTime).toBe(kit.clock.now());
    const ofContent = Buffer.from(der);
    ofContent[der.indexOf(Buffer.from([0x02, 0x01, 0x03])) + 2] = version;
    expect(() => verify(ofContent)).toThrow('the token says a version that its contents contradict');
    if (version === 1) return;
    const signer = content.at(-1)?.only(TAG.set).bytes ?? Buffer.of();
    const ofSigner = Buffer.from(der);
    ofSigner[der.indexOf(signer) + signer.indexOf(Buffer.from([0x02, 0x01, 0x01])) + 2] = version;
    expect(() => verify(ofSigner)).toThrow('the token says a version that its contents contradict');
  });
});
