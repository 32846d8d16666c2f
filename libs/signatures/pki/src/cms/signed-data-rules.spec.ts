import { hash } from 'node:crypto';

import { beforeAll, describe, expect, it } from '@jest/globals';

import { Certificate } from '../certificates/certificate.js';
import { contents, type DerNode, encode, integer, octetString, oid, raw, sequence, setOf, TAG, tagged } from '../der/der.js';
import { DerReader } from '../der/der-reader.js';
import { OID } from '../der/oids.js';
import { type DevelopmentKit, developmentKit } from '#testkit/pki/development-kit';
import { STRAY } from '#testkit/pki/signing-requests';
import { digestAlgorithm, signatureAlgorithm, signWith } from './algorithms.js';
import { attribute } from './build-signed-data.js';
import { isDigestOf, isSignatureOver, readSignedData, signerCertificate, soleValue } from './signed-data.js';

const LIMIT = 1 << 20;
const content = Buffer.from('the signed content');
const [small, large] = [octetString(Buffer.of(1)), octetString(Buffer.of(2))];

let kit: DevelopmentKit;
let unit: Certificate;
beforeAll(async () => {
  kit = await developmentKit();
  unit = Certificate.parse(kit.pki.timestamping.certificate);
});

/** A SET OF in the order given, unlike {@link setOf}. `tag`: that of an IMPLICIT one. */
const unordered = (members: readonly DerNode[], tag: number = TAG.set): DerNode => contents(tag, Buffer.concat(members.map(encode)));
const attributes = () => [attribute(OID.contentType, oid(OID.data)), attribute(OID.messageDigest, octetString(hash('sha256', content, 'buffer')))];
const byIssuer = () => sequence(raw(unit.issuer), contents(TAG.integer, unit.serial));
const byKey = (identifier = keyIdentifierOf(unit)) => contents(TAG.primitive(0), identifier);
const keyIdentifierOf = ({ extensions }: Certificate) =>
  DerReader.parse(extensions.get(OID.subjectKeyIdentifier)?.value ?? Buffer.alloc(0), LIMIT).octets();

/** What differs from a right SignedData of the time-stamping unit. */
interface Otherwise {
  readonly type?: string;
  readonly digests?: readonly DerNode[];
  /** The encapsulated content. */
  readonly content?: Buffer;
  /** Absent: no `certificates`. */
  readonly certificates?: readonly DerNode[];
  readonly crls?: readonly DerNode[];
  /** SignerIdentifier. */
  readonly id?: DerNode;
  readonly signed?: readonly DerNode[];
  /** What the signature is over, unless over the signed attributes. */
  readonly over?: Buffer;
  readonly unsigned?: readonly DerNode[];
  readonly signers?: number;
  /** The structure that has one field too many. */
  readonly longer?: 'ContentInfo' | 'SignedData' | 'EncapsulatedContentInfo' | 'SignerInfo' | 'Attribute';
}

const encoded = (otherwise: Otherwise = {}): Buffer => {
  const { id = byIssuer(), signed = attributes(), unsigned, certificates, crls, longer } = otherwise;
  const more = (structure: Otherwise['longer']) => (longer === structure ? [STRAY] : []);
  const all = [...signed, ...(longer === 'Attribute' ? [sequence(oid(OID.signingTime), setOf(small), STRAY)] : [])];
  const signer = sequence(
    integer(1),
    id,
    digestAlgorithm('sha256'),
    unordered(all, TAG.constructed(0)),
    signatureAlgorithm(unit.publicKey, 'sha256'),
    octetString(signWith(kit.pki.timestamping.privateKey, 'sha256', otherwise.over ?? encode(unordered(all)))),
    ...(unsigned ? [unordered(unsigned, TAG.constructed(1))] : []),
    ...more('SignerInfo'),
  );
  const data = sequence(
    integer(4),
    unordered(otherwise.digests ?? [digestAlgorithm('sha256')]),
    sequence(oid(OID.data), ...(otherwise.content ? [tagged(0, octetString(otherwise.content))] : []), ...more('EncapsulatedContentInfo')),
    ...(certificates ? [unordered(certificates, TAG.constructed(0))] : []),
    ...(crls ? [unordered(crls, TAG.constructed(1))] : []),
    unordered(Array.from({ length: otherwise.signers ?? 1 }, () => signer)),
    ...more('SignedData'),
  );
  return encode(sequence(oid(otherwise.type ?? OID.signedData), tagged(0, data), ...more('ContentInfo')));
};
const reading = (otherwise?: Otherwise) => readSignedData(encoded(otherwise), LIMIT);
const refuses = (otherwise: Otherwise, message: string): void => {
  let refusal: unknown;
  try {
    reading(otherwise);
  } catch (error) {
    refusal = error;
  }
  expect(String(refusal)).toBe(`MalformedDer: ${message}`);
};

describe('the structure of a SignedData (RFC 5652 §5.1)', () => {
  it('is read with all that it holds', () => {
    const crl = sequence(integer(7));
    const read = reading({ content, certificates: [raw(unit.der)], crls: [crl] });
    expect(read).toMatchObject({ version: 4, contentType: OID.data, content, otherCertificates: false, announcesDigest: true });
    expect(read.certificates).toEqual([unit]);
    expect(read.crls?.map(({ bytes }) => bytes)).toEqual([encode(crl)]);
    expect(read.signer).toMatchObject({ version: 1, hash: 'sha256', issuerAndSerial: { issuer: unit.issuer, serial: unit.serial } });
  });

  it('may be without content, certificates, lists and unsigned attributes', () => {
    expect(reading()).toMatchObject({ content: undefined, certificates: [], otherCertificates: false, crls: undefined });
    expect(reading().signer.unsigned.size).toBe(0);
  });

  it('is that of signed data', () => refuses({ type: OID.data }, 'SignedData expected'));

  it.each(['ContentInfo', 'SignedData', 'EncapsulatedContentInfo', 'SignerInfo', 'Attribute'] as const)('has no further field: %s', (longer) =>
    refuses({ longer }, 'a field too many'),
  );

  it('has one signer', () => {
    refuses({ signers: 2 }, 'a field too many');
    refuses({ signers: 0 }, 'a field is missing');
  });

  it('holds at most 32 certificates', () => {
    const others = (length: number) => Array.from({ length }, () => contents(TAG.constructed(2), encode(integer(1))));
    expect(reading({ certificates: others(32) }).otherCertificates).toBe(true);
    refuses({ certificates: others(33) }, 'too many certificates');
  });

  it('tells whether it announces the hash of its signer', () => {
    const [right, wrong] = [digestAlgorithm('sha256'), digestAlgorithm('sha512')];
    const announced = [[right], [right, wrong], [wrong], []].map((digests) => reading({ digests }).announcesDigest);
    expect(announced).toEqual([true, true, false, false]);
  });
});

describe('the order of the sets of a SignedData (X.690 §11.6)', () => {
  const sets: readonly (readonly [string, (...members: readonly [DerNode, DerNode]) => Otherwise, () => readonly [DerNode, DerNode]])[] = [
    ['digestAlgorithms', (...digests) => ({ digests }), () => [digestAlgorithm('sha256'), digestAlgorithm('sha512')]],
    [
      'certificates',
      (...certificates) => ({ certificates }),
      () => [contents(TAG.constructed(1), encode(small)), contents(TAG.constructed(2), encode(small))],
    ],
    ['crls', (...crls) => ({ crls }), () => [sequence(small), sequence(large)]],
    ['signed attributes', (...signed) => ({ signed }), () => [sequence(oid('1.2.3'), setOf(small)), sequence(oid('1.2.4'), setOf(small))]],
    ['unsigned attributes', (...unsigned) => ({ unsigned }), () => [sequence(oid('1.2.3'), setOf(small)), sequence(oid('1.2.4'), setOf(small))]],
    ['values of a signed attribute', (...values) => ({ signed: [sequence(oid('1.2.3'), unordered(values))] }), () => [small, large]],
    ['values of an unsigned attribute', (...values) => ({ unsigned: [sequence(oid('1.2.3'), unordered(values))] }), () => [small, large]],
  ];

  it.each(sets)('is told of its %s', (_, of, members) => {
    const [first, second] = members();
    expect([of(first, second), of(second, first)].map((otherwise) => reading(otherwise).ordered)).toEqual([true, false]);
  });

  it('is kept by equal members', () => expect(reading({ crls: [sequence(small), sequence(small)] }).ordered).toBe(true));
});

describe('an attribute with one value', () => {
  const type = '1.2.3';
  const valueOf = (...values: readonly DerNode[]) => soleValue(reading({ unsigned: [sequence(oid(type), setOf(...values))] }).signer.unsigned, type);

  it('is read, and is undefined when it is absent', () => {
    expect(valueOf(large)?.bytes).toEqual(encode(large));
    expect(soleValue(reading().signer.unsigned, type)).toBeUndefined();
  });

  it('is malformed with several', () => expect(() => valueOf(small, large)).toThrow('attribute with several values'));
});

describe('the certificate of a signer (RFC 5652 §5.3)', () => {
  const found = (id: DerNode, candidates = [kit.root, kit.issuing, kit.signer, unit]) => signerCertificate(reading({ id }).signer, candidates);

  it('is that of the issuer and the serial number', () => {
    expect(found(byIssuer())).toBe(unit);
    expect(found(sequence(raw(unit.issuer), contents(TAG.integer, kit.signer.serial)))).toBeUndefined();
    expect(found(sequence(raw(kit.signer.issuer), contents(TAG.integer, unit.serial)))).toBeUndefined();
  });

  it('is that of the key identifier', () => {
    expect(found(byKey())).toBe(unit);
    expect(reading({ id: byKey() }).signer).toMatchObject({ issuerAndSerial: undefined, subjectKeyIdentifier: keyIdentifierOf(unit) });
    expect(found(byKey(Buffer.alloc(20)))).toBeUndefined();
    const without = { ...unit, extensions: new Map() } as unknown as Certificate;
    expect(found(byKey(), [without])).toBeUndefined();
  });

  it('must be named in one of these ways', () => refuses({ id: tagged(3, small) }, 'tag 0x80 expected, 0xa3 found'));
});

describe('the signature of a signer (RFC 5652 §5.4 and 5.6)', () => {
  const signs = (otherwise: Otherwise = {}, over = content, type: string = OID.data, certificate = unit) =>
    isSignatureOver(reading(otherwise).signer, over, type, certificate);
  const [type, digest] = attributes() as [DerNode, DerNode];

  it('is over content-type, message-digest and the attributes', () => {
    expect(signs()).toBe(true);
    expect(signs({ over: Buffer.from('something else') })).toBe(false);
    expect(signs({}, content, OID.data, kit.issuing)).toBe(false);
  });

  it('says the type of the content', () => {
    expect(signs({}, content, OID.tstInfo)).toBe(false);
    expect(signs({ signed: [digest] })).toBe(false);
  });

  it('says the digest of the content', () => {
    const other = Buffer.from('what is not signed');
    expect([signs({}, other), isDigestOf(reading().signer, other), isDigestOf(reading().signer, content)]).toEqual([false, false, true]);
    expect([signs({ signed: [type] }), isDigestOf(reading({ signed: [type] }).signer, content)]).toEqual([false, false]);
  });
});
