import { constants, type KeyObject, sign } from 'node:crypto';

import { bitString, type DerNode, encode, integer, nul, oid, raw, sequence, tagged } from '../der/der.js';
import { DerReader } from '../der/der-reader.js';
import { OID } from '../der/oids.js';

export interface OtherSignature {
  /** AlgorithmIdentifier. */
  readonly algorithm: DerNode;
  /** OpenSSL's name of the hash. */
  readonly hash: string;
  /** Bytes of salt of RSASSA-PSS. */
  readonly saltLength?: number;
}

/** The certificate with another algorithm, signed anew by the issuer's key. DER. */
export const resigned = (certificate: Buffer, key: KeyObject, { algorithm, hash, saltLength }: OtherSignature): Buffer => {
  const [tbs] = DerReader.parse(certificate, certificate.length).members();
  const fields = tbs?.members().map(({ bytes }, at) => (at === 2 ? algorithm : raw(bytes))) ?? [];
  const changed = encode(sequence(...fields));
  const signer = saltLength === undefined ? key : { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength };
  return encode(sequence(raw(changed), algorithm, bitString(sign(hash, changed, signer))));
};

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
