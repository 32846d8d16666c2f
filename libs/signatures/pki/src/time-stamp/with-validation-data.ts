import type { Certificate } from '../certificates/certificate.js';
import { digestAlgorithm } from '../cms/algorithms.js';
import { readSignedData } from '../cms/signed-data.js';
import { encode, implicitSetOf, integer, isUniversal, oid, raw, sequence, setOf, TAG, tagged } from '../der/der.js';
import { DerReader } from '../der/der-reader.js';
import { OID } from '../der/oids.js';

export interface ValidationData {
  readonly certificates: readonly Certificate[];
  /** Complete encodings of RevocationInfoChoices. */
  readonly crls: readonly Buffer[];
}

const MAX_TOKEN_BYTES = 1024 * 1024;

/**
 * The token with exactly these certificates and statements, where a validator looks for them years later (EN 319 162-1 §A.7). The part that the unit
 * signed stays unchanged. The rest has only one form, so a verifier can write the token again from its parts and compare. Throws MalformedDer.
 */
export const withValidationData = (token: Uint8Array, { certificates, crls }: ValidationData): Buffer => {
  const { signer } = readSignedData(token, MAX_TOKEN_BYTES);
  const fields = DerReader.parse(token, MAX_TOKEN_BYTES).fields();
  fields.take(TAG.oid);
  const signedData = fields.take().only(TAG.constructed(0)).members(TAG.sequence);
  const partAt = (place: number) => raw(signedData.at(place)?.bytes ?? Buffer.alloc(0));
  const statements = distinct(crls).map(raw);
  return encode(
    sequence(
      oid(OID.signedData),
      tagged(
        0,
        sequence(
          // RFC 5652 §5.1: 3, because the content is not id-data; 5 as soon as crls holds another format than CRLs
          integer(statements.every(isUniversal) ? 3 : 5),
          setOf(digestAlgorithm(signer.hash)),
          partAt(2),
          implicitSetOf(0, ...distinct(certificates.map(({ der }) => der)).map(raw)),
          ...(statements.length > 0 ? [implicitSetOf(1, ...statements)] : []),
          partAt(-1),
        ),
      ),
    ),
  );
};

const distinct = (encodings: readonly Buffer[]): readonly Buffer[] => [
  ...new Map(encodings.map((encoding) => [encoding.toString('latin1'), encoding])).values(),
];
