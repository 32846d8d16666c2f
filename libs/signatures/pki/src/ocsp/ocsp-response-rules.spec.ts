import { createPublicKey, hash, randomBytes } from 'node:crypto';

import { beforeAll, describe, expect, it } from '@jest/globals';
import { KeyUsageFlags, KeyUsagesExtension } from '@peculiar/x509';

import { Certificate } from '../certificates/certificate.js';
import { issuingProfile } from '../certificates/certificate-profiles.js';
import { trustServiceAddresses } from '../certificates/trust-service-addresses.js';
import { signatureAlgorithm, signWith } from '../cms/algorithms.js';
import {
  bitString,
  contents,
  type DerNode,
  encode,
  enumerated,
  generalizedTime,
  integer,
  nul,
  octetString,
  oid,
  raw,
  sequence,
  setOf,
  TAG,
  tagged,
} from '../der/der.js';
import { DerReader } from '../der/der-reader.js';
import { MalformedDer } from '../der/malformed-der.js';
import { OID } from '../der/oids.js';
import type { TrustServiceUnit } from '../development/development-pki.js';
import { indefinite } from '#testkit/pki/ber';
import { type DevelopmentKit, developmentKit } from '#testkit/pki/development-kit';
import { resigned } from '#testkit/pki/resigned';
import { newKey, STRAY } from '#testkit/pki/signing-requests';
import { PROFILES, type TestCertificate, testUnit, withExtensions } from '#testkit/pki/test-certificates';
import { certificateId, encodeCertificateId, nonceExtension } from './ocsp-request.js';
import { verifyOcspResponse } from './ocsp-response.js';

const SECOND = 1000;
const ECDSA_WITH_SHA1 = '1.2.840.10045.4.1';
const GOOD = contents(TAG.primitive(0), Buffer.alloc(0));
const UNKNOWN = contents(TAG.primitive(2), Buffer.alloc(0));
const nonce = randomBytes(32);
const NONCE = nonceExtension(encode(octetString(nonce)));

let kit: DevelopmentKit;
let now: number;
beforeAll(async () => {
  kit = await developmentKit();
  now = kit.clock.now();
});

/** What differs from the right response: one of the CA's own responder, just made, about the signer. */
interface Otherwise {
  readonly by?: TrustServiceUnit;
  readonly status?: number;
  readonly type?: string;
  readonly version?: DerNode;
  /** ResponderID. */
  readonly id?: DerNode;
  readonly producedAt?: number;
  readonly singles?: readonly DerNode[];
  readonly extensions?: readonly DerNode[];
  readonly algorithm?: DerNode;
  /** The data to sign in place of the own. */
  readonly signed?: Buffer;
  readonly certificates?: readonly Buffer[];
  /** The structure that has one field too many. */
  readonly longer?: 'ResponseData' | 'BasicOCSPResponse' | 'OCSPResponse';
}

const response = (otherwise: Otherwise = {}): Buffer => {
  const { by = kit.pki.responder, singles = [single()], extensions = [NONCE], certificates = [by.certificate], longer } = otherwise;
  const responder = Certificate.parse(by.certificate);
  const { algorithm = signatureAlgorithm(responder.publicKey, 'sha256'), id = byKey(responder) } = otherwise;
  const more = (structure: Otherwise['longer']) => (longer === structure ? [STRAY] : []);
  const data = sequence(
    ...(otherwise.version ? [otherwise.version] : []),
    id,
    generalizedTime(otherwise.producedAt ?? now),
    sequence(...singles),
    ...(extensions.length > 0 ? [tagged(1, sequence(...extensions))] : []),
    ...more('ResponseData'),
  );
  const signature = bitString(signWith(by.privateKey, 'sha256', otherwise.signed ?? encode(data)));
  const chain = certificates.length > 0 ? [tagged(0, sequence(...certificates.map(raw)))] : [];
  const basic = encode(sequence(data, algorithm, signature, ...chain, ...more('BasicOCSPResponse')));
  const bytes = sequence(oid(otherwise.type ?? OID.ocspBasic), octetString(basic));
  return encode(sequence(enumerated(otherwise.status ?? 0), tagged(0, bytes), ...more('OCSPResponse')));
};
const byKey = (responder: Certificate): DerNode => tagged(2, octetString(hash('sha1', responder.keyOctets, 'buffer')));
const byName = (responder: Certificate): DerNode => tagged(1, raw(responder.subject));

interface Single {
  readonly serial?: Buffer;
  readonly issuer?: Certificate;
  readonly status?: DerNode;
  readonly thisUpdate?: number;
  readonly nextUpdate?: number;
}
const single = ({ serial = kit.signer.serial, issuer = kit.issuing, status = GOOD, thisUpdate = now, nextUpdate }: Single = {}): DerNode =>
  sequence(
    encodeCertificateId(certificateId(serial, issuer)),
    status,
    generalizedTime(thisUpdate),
    ...(nextUpdate === undefined ? [] : [tagged(0, generalizedTime(nextUpdate))]),
  );
const responderWith = (parts: Partial<TestCertificate>) => testUnit({ profile: PROFILES.responder(), issuer: kit.pki.issuing, now, ...parts });
const withUsage = (...usages: readonly KeyUsagesExtension[]) => ({ profile: withExtensions(PROFILES.responder(), [OID.keyUsage], ...usages) });

const verify = (der: Buffer, sent: Buffer | undefined = nonce) =>
  verifyOcspResponse(der, { certificate: kit.signer, issuer: kit.issuing, nonce: sent });
const verifyWithoutNonce = (der: Buffer) => verifyOcspResponse(der, { certificate: kit.signer, issuer: kit.issuing });
const refusalOf = (der: Buffer): unknown => {
  try {
    return verify(der);
  } catch (error) {
    return error;
  }
};
const refuses = (der: Buffer, message: string): void => expect(String(refusalOf(der))).toBe(`BadOcspResponse: ${message}`);
const accepts = (der: Buffer): void => expect(verify(der).status).toBe('good');

/** The name with other texts, in BMPString. */
const renamed = (name: Buffer, change: (text: string) => string): Buffer =>
  encode(
    sequence(
      ...DerReader.parse(name, name.length)
        .members()
        .map((part) =>
          setOf(
            ...part.members().map((attribute) => {
              const [type, value] = attribute.members();
              const text = Buffer.from(change(value?.content().toString() ?? ''), 'utf16le').swap16();
              return sequence(raw(type?.bytes ?? Buffer.of()), contents(0x1e, text));
            }),
          ),
        ),
    ),
  );
const issuingKeys = () => ({ privateKey: kit.pki.issuing.privateKey, publicKey: createPublicKey(kit.pki.issuing.privateKey) });

describe('an OCSP response', () => {
  it('is returned with what it says', () => {
    const der = response();
    const { responder, ...said } = verify(der);
    expect(said).toEqual({ response: der, status: 'good', revokedAt: undefined, producedAt: now, thisUpdate: now, nextUpdate: undefined });
    expect(responder.der).toEqual(kit.pki.responder.certificate);
  });

  it('says since when a certificate is revoked', () => {
    const status = tagged(1, generalizedTime(now - SECOND));
    expect(verify(response({ singles: [single({ status })] }))).toMatchObject({ status: 'revoked', revokedAt: now - SECOND });
    expect(verify(response({ singles: [single({ status: UNKNOWN })] }))).toMatchObject({ status: 'unknown', revokedAt: undefined });
    const other = contents(TAG.primitive(3), Buffer.alloc(0));
    refuses(response({ singles: [single({ status: other })] }), 'the response is malformed: certificate status');
  });

  it('must be about the certificate asked for, and may be about others too', () => {
    const others = [single({ serial: Buffer.of(1), status: UNKNOWN }), single({ issuer: kit.root, status: UNKNOWN })];
    accepts(response({ singles: [...others, single()] }));
    for (const other of others) refuses(response({ singles: [other] }), 'the response is about another certificate');
    refuses(response({ singles: [] }), 'the response is about another certificate');
  });

  it('that says several things about the certificate says revoked when one of them does, and is refused otherwise', () => {
    const revoked = (at: number): DerNode => single({ status: tagged(1, generalizedTime(at)) });
    for (const singles of [
      [single(), revoked(now - SECOND)],
      [revoked(now - SECOND), single()],
      [revoked(now), single({ status: UNKNOWN }), revoked(now - SECOND)],
    ])
      expect(verify(response({ singles }))).toMatchObject({ status: 'revoked', revokedAt: now - SECOND });
    for (const singles of [
      [single(), single({ status: UNKNOWN })],
      [single({ status: UNKNOWN }), single()],
    ])
      refuses(response({ singles }), 'the response says two things about the certificate');
    expect(verify(response({ singles: [single({ thisUpdate: now - SECOND }), single()] }))).toMatchObject({ status: 'good', thisUpdate: now });
  });

  it.each(['sha1', 'sha256', 'sha384', 'sha512'] as const)('may name the certificate by %s', (name) => {
    const { subject, keyOctets } = kit.issuing;
    const hashes = [subject, keyOctets].map((bytes) => octetString(hash(name, bytes, 'buffer')));
    const id = sequence(sequence(oid(OID[name]), nul()), ...hashes, contents(TAG.integer, kit.signer.serial));
    accepts(response({ singles: [sequence(id, GOOD, generalizedTime(now))] }));
  });

  it.each([1, 2, 5])('may come in BER, with its signed part in DER: %d levels', (depth) => {
    const der = response();
    // tbs and signature lie in an octet string, which stays as it is
    expect(verify(indefinite(der, depth))).toMatchObject({ status: 'good', response: der });
    const inner = DerReader.parse(der, der.length).members()[1]?.only(TAG.constructed(0)).members()[1]?.octets() ?? Buffer.of();
    const basic = sequence(oid(OID.ocspBasic), octetString(indefinite(inner, 1)));
    expect(verify(encode(sequence(enumerated(0), tagged(0, basic)))).status).toBe('good');
  });

  it('must repeat the nonce that was sent', () => {
    refuses(response({ extensions: [] }), 'another nonce than sent');
    refuses(response({ extensions: [nonceExtension(encode(octetString(randomBytes(32))))] }), 'another nonce than sent');
    expect([response(), response({ extensions: [] })].map((der) => verifyWithoutNonce(der).status)).toEqual(['good', 'good']);
  });

  it('says a status that was known when the response was made, and not replaced by then (RFC 6960 §2.4)', () => {
    const at = (thisUpdate: number, nextUpdate?: number) =>
      response({ singles: [single({ thisUpdate, ...(nextUpdate !== undefined && { nextUpdate }) })] });
    expect(verify(at(now))).toMatchObject({ thisUpdate: now, nextUpdate: undefined });
    expect(verify(at(now - SECOND, now))).toMatchObject({ thisUpdate: now - SECOND, nextUpdate: now });
    for (const der of [at(now + SECOND), at(now + SECOND, now + 2 * SECOND), at(now - 2 * SECOND, now - SECOND)]) {
      refuses(der, "the response's times contradict each other");
    }
  });

  it('must be the signed one, by an algorithm that is not outdated', () => {
    refuses(response({ signed: Buffer.from('something else') }), "the response's signature is wrong");
    refuses(response({ algorithm: sequence(oid(ECDSA_WITH_SHA1)) }), 'the response is signed by an outdated algorithm');
  });
});

describe('the structure of an OCSP response', () => {
  it('may state its version', () => accepts(response({ version: tagged(0, integer(0)) })));

  it('is that of a successful BasicOCSPResponse', () => {
    refuses(response({ status: 6 }), 'the responder answered with status 6');
    refuses(response({ type: OID.ocspNonce }), 'the response is malformed: BasicOCSPResponse expected');
    expect(refusalOf(response({ type: OID.ocspNonce }))).toHaveProperty('cause', expect.any(MalformedDer));
  });

  it.each(['ResponseData', 'BasicOCSPResponse', 'OCSPResponse'] as const)('has no further field: %s', (longer) =>
    refuses(response({ longer }), 'the response is malformed: a field too many'),
  );
});

describe('the responder of an OCSP response', () => {
  const missing = "the responder's certificate is missing";

  it('may be named by its name or by its key (RFC 6960 §4.2.1)', () => {
    const [responder, stranger] = [Certificate.parse(kit.pki.responder.certificate), kit.signer];
    for (const id of [byName(responder), byKey(responder)]) accepts(response({ id }));
    for (const id of [byName(stranger), byKey(stranger)]) refuses(response({ id }), missing);
    refuses(response({ id: tagged(3, octetString(Buffer.alloc(20))) }), 'the response is malformed: tag 0xa2 expected, 0xa3 found');
  });

  it('may be the CA itself, whose certificate need not be sent', () => accepts(response({ by: kit.pki.issuing, certificates: [] })));

  it('is looked for among all certificates of the response, also beside one that cannot be read', () => {
    const { root, issuing, responder } = kit.pki;
    const others = [root.certificate, issuing.certificate, kit.signer.der, encode(sequence()), ...Array.from({ length: 20 }, () => root.certificate)];
    accepts(response({ certificates: [...others, responder.certificate] }));
    refuses(response({ certificates: others }), missing);
    refuses(response({ certificates: [] }), missing);
  });

  it('may be named in another type of string, case or white space (RFC 5280 §7.1)', () => {
    const responder = Certificate.parse(kit.pki.responder.certificate);
    const other = renamed(responder.subject, (text) => `  ${text.toUpperCase()} `);
    expect(other).not.toEqual(responder.subject);
    accepts(response({ id: tagged(1, raw(other)) }));
    refuses(response({ id: tagged(1, raw(renamed(responder.subject, (text) => `${text}x`))) }), missing);
  });

  it('is the one of several with that name whose key signed', async () => {
    const earlier = await responderWith({});
    const ended = await responderWith({ notAfter: now - SECOND });
    const certificates = [earlier, ended, kit.pki.responder].map(({ certificate }) => certificate);
    const id = byName(Certificate.parse(kit.pki.responder.certificate));
    accepts(response({ id, certificates }));
    refuses(response({ id, certificates: certificates.slice(0, 2) }), "the response's signature is wrong");
  });

  it('may be the CA itself by another certificate of the same key and name', async () => {
    const again = await testUnit({
      profile: issuingProfile(trustServiceAddresses('http://localhost')),
      issuer: kit.pki.root,
      now,
      keys: issuingKeys(),
    });
    accepts(response({ by: kit.pki.issuing, certificates: [again.certificate] }));
  });

  it('is one of the CA that issued the certificate', async () => {
    const own = "the responder is not the issuing CA's own";
    refuses(response({ by: await responderWith({ issuer: kit.pki.root }) }), own);
    const { privateKey, certificate } = kit.pki.responder;
    const byOutdated = resigned(certificate, kit.pki.issuing.privateKey, { algorithm: sequence(oid(ECDSA_WITH_SHA1)), hash: 'sha1' });
    refuses(response({ by: { privateKey, certificate: byOutdated } }), own);
    refuses(
      response({ by: await testUnit({ profile: PROFILES.signer(), issuer: kit.pki.issuing, now }) }),
      'the responder may not sign OCSP responses',
    );
  });

  it.each([
    ['whose certificate has ended', () => ({ notAfter: now - SECOND }), "the responder's certificate had expired"],
    ['whose key is too weak', () => ({ keys: newKey.RSA(1024) }), "the responder's key is too weak"],
    [
      'that may not answer',
      () => ({ profile: withExtensions(PROFILES.responder(), [OID.extKeyUsage]) }),
      'the responder may not sign OCSP responses',
    ],
    [
      'whose key is for encryption',
      () => withUsage(new KeyUsagesExtension(KeyUsageFlags.keyEncipherment, true)),
      "the responder's key is not for signatures",
    ],
    [
      'that would have to be looked up itself',
      () => ({ profile: withExtensions(PROFILES.responder(), [OID.ocspNoCheck]) }),
      "the responder's own revocation would have to be checked",
    ],
  ])('is not one %s', async (_, parts, message) => refuses(response({ by: await responderWith(parts()) }), message));

  it('may have a key for any use', async () => accepts(response({ by: await responderWith(withUsage()) })));
});
