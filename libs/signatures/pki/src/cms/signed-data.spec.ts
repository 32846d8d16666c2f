import { generateKeyPairSync } from 'node:crypto';

import { beforeAll, describe, expect, it } from '@jest/globals';

import type { Certificate } from '../certificates/certificate.js';
import { contents, type DerNode, encode, implicitSetOf, integer, octetString, oid, raw, sequence, setOf, TAG } from '../der/der.js';
import { MalformedDer } from '../der/malformed-der.js';
import { OID } from '../der/oids.js';
import { type DevelopmentKit, developmentKit } from '#testkit/pki/development-kit';
import { digestAlgorithm, signatureAlgorithm } from './algorithms.js';
import { attribute, signedData } from './build-signed-data.js';
import { readSignedData } from './signed-data.js';

let kit: DevelopmentKit;
beforeAll(async () => {
  kit = await developmentKit();
});

const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
const digest = () => attribute(OID.messageDigest, octetString(Buffer.alloc(32)));
const type = () => attribute(OID.contentType, oid(OID.data));

interface Parts {
  readonly signed?: readonly DerNode[];
  readonly unsigned?: readonly DerNode[];
  /** Beside the signer's certificate. */
  readonly other?: DerNode;
}

/** A SignedData whose signature nothing checks. */
const reading = ({ signed = [type(), digest()], unsigned = [], other }: Parts = {}) => {
  const signer = sequence(
    integer(1),
    sequence(raw(kit.signer.issuer), contents(TAG.integer, kit.signer.serial)),
    digestAlgorithm('sha256'),
    implicitSetOf(0, ...signed),
    signatureAlgorithm(key, 'sha256'),
    octetString(Buffer.alloc(64)),
    ...(unsigned.length > 0 ? [implicitSetOf(1, ...unsigned)] : []),
  );
  const certificates = [kit.signer, ...(other ? [{ der: encode(other) } as Certificate] : [])];
  const der = encode(signedData({ version: 1, hash: 'sha256', contentType: OID.data, certificates, signer }));
  return readSignedData(der, 1 << 20);
};

describe('a SignedData', () => {
  it('is read with the attributes of its signer', () => {
    const { signer, certificates } = reading({ unsigned: [attribute(OID.signatureTimeStamp, octetString(Buffer.of(1)))] });
    expect([...signer.signed.keys()].sort()).toEqual([OID.contentType, OID.messageDigest].sort());
    expect([...signer.unsigned.keys()]).toEqual([OID.signatureTimeStamp]);
    expect(certificates.map(({ serial }) => serial)).toEqual([kit.signer.serial]);
  });

  it('tells that it holds an attribute certificate, which nothing here reads', () => {
    const attributeCertificate = contents(TAG.constructed(2), encode(integer(1)));
    expect([reading(), reading({ other: attributeCertificate })].map(({ otherCertificates }) => otherCertificates)).toEqual([false, true]);
  });

  it.each([
    [
      'a signed attribute stands twice',
      () => reading({ signed: [type(), digest(), attribute(OID.messageDigest, octetString(Buffer.alloc(32, 1)))] }),
    ],
    ['an unsigned attribute stands twice', () => reading({ unsigned: [digest(), attribute(OID.messageDigest, octetString(Buffer.alloc(32, 1)))] })],
    ['a signed attribute has no value', () => reading({ signed: [type(), digest(), sequence(oid(OID.signingTime), setOf())] })],
    ['an unsigned attribute has no value', () => reading({ unsigned: [sequence(oid(OID.signatureTimeStamp), setOf())] })],
  ] as const)('is malformed when %s (RFC 5652 §11)', (_, read) => {
    expect(read).toThrow(MalformedDer);
    expect(read).toThrow('attribute twice or empty');
  });
});
