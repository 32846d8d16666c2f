import { constants, type KeyObject, sign } from 'node:crypto';

import { digestAlgorithm } from '#signatures/pki';
import { signedData } from '#signatures/pki';
import { readSignedData } from '#signatures/pki';
import { bitString, contents, type DerNode, encode, enumerated, integer, nul, octetString, oid, raw, sequence, TAG, tagged } from '#signatures/pki';
import { DerReader } from '#signatures/pki';
import { OID } from '#signatures/pki';

export interface OtherSignature {
  /** AlgorithmIdentifier. */
  readonly algorithm: DerNode;
  /** OpenSSL's name of the hash. */
  readonly hash: string;
  /** Bytes of salt of RSASSA-PSS; undefined for PKCS#1 v1.5 and ECDSA. */
  readonly saltLength?: number | undefined;
}

/** The certificate with another algorithm, signed anew by the issuer's key. DER. */
export const resigned = (certificate: Buffer, key: KeyObject, { algorithm, hash, saltLength }: OtherSignature): Buffer => {
  const [tbs] = DerReader.parse(certificate, certificate.length).members();
  const fields = tbs?.members().map(({ bytes }, at) => (at === 2 ? algorithm : raw(bytes))) ?? [];
  const changed = encode(sequence(...fields));
  return encode(sequence(raw(changed), algorithm, bitString(signedBy(key, changed, { hash, saltLength }))));
};

/** The successful OCSP response with another algorithm, signed anew by the responder's key. DER. */
export const resignedResponse = (response: Buffer, key: KeyObject, { algorithm, ...how }: OtherSignature): Buffer => {
  const bytes = DerReader.parse(response, response.length).members()[1]?.only(TAG.constructed(0)).members()[1]?.octets() ?? Buffer.of();
  const [tbs, , , ...certificates] = DerReader.parse(bytes, bytes.length).members();
  if (!tbs) throw new TypeError('the response has no content');
  const signature = bitString(signedBy(key, tbs.bytes, how));
  const basic = sequence(raw(tbs.bytes), algorithm, signature, ...certificates.map((each) => raw(each.bytes)));
  return encode(sequence(enumerated(0), tagged(0, sequence(oid(OID.ocspBasic), octetString(encode(basic))))));
};

/** The time-stamp token with another algorithm, signed anew by the unit's key; its digest algorithm stays. DER. */
export const resignedToken = (token: Buffer, key: KeyObject, { algorithm, ...how }: OtherSignature): Buffer => {
  const { version, contentType, content, certificates, signer } = readSignedData(token, token.length);
  if (!content || !signer.issuerAndSerial) throw new TypeError('a token of the development unit is expected');
  const stored = Buffer.from(signer.signedAttributes);
  stored[0] = TAG.constructed(0);
  const signerInfo = sequence(
    integer(1),
    sequence(raw(signer.issuerAndSerial.issuer), contents(TAG.integer, signer.issuerAndSerial.serial)),
    digestAlgorithm(signer.hash),
    raw(stored),
    algorithm,
    octetString(signedBy(key, signer.signedAttributes, how)),
  );
  return encode(signedData({ version, hash: signer.hash, contentType, content, certificates, signer: signerInfo }));
};

const signedBy = (key: KeyObject, data: Buffer, { hash, saltLength }: Omit<OtherSignature, 'algorithm'>): Buffer =>
  sign(hash, data, saltLength === undefined ? key : { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength });

/** The AlgorithmIdentifier of RSASSA-PSS (RFC 4055 §3.1) with the hashes of those object identifiers. */
export const pssAlgorithm = (hash: string, saltLength: number, maskHash = hash): DerNode =>
  sequence(
    oid(OID.rsassaPss),
    sequence(
      tagged(0, sequence(oid(hash), nul())),
      tagged(1, sequence(oid(OID.mgf1), sequence(oid(maskHash), nul()))),
      tagged(2, integer(saltLength)),
    ),
  );

/** Signatures that name RSASSA-PSS and must be refused. */
export const WRONG_PSS: readonly (OtherSignature & { readonly wrong: string })[] = [
  { wrong: 'another salt than it names', algorithm: pssAlgorithm(OID.sha256, 32), hash: 'sha256', saltLength: 20 },
  { wrong: 'another hash than it names', algorithm: pssAlgorithm(OID.sha384, 32), hash: 'sha256', saltLength: 32 },
  { wrong: 'a mask of another hash', algorithm: pssAlgorithm(OID.sha256, 32, OID.sha1), hash: 'sha256', saltLength: 32 },
  { wrong: 'SHA-1', algorithm: pssAlgorithm(OID.sha1, 20), hash: 'sha1', saltLength: 20 },
  { wrong: 'the padding of PKCS#1 v1.5', algorithm: pssAlgorithm(OID.sha256, 32), hash: 'sha256' },
];

/** RSASSA-PSS with SHA-256 and 32 bytes of salt. */
export const RIGHT_PSS: OtherSignature = { algorithm: pssAlgorithm(OID.sha256, 32), hash: 'sha256', saltLength: 32 };
