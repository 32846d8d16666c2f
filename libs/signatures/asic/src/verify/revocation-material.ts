import { type DerReader, OID, TAG } from '#signatures/pki';

/** The revocation data of a signature, DER. */
export interface RevocationMaterial {
  /** Whole OCSPResponses. */
  readonly responses: readonly Buffer[];
  readonly lists: readonly Buffer[];
}

/** RevocationInfoChoices (RFC 5652 §10.2.1), with OCSP responses as RFC 5940 §2 has them. Throws MalformedDer. */
export const readMaterial = (crls: readonly DerReader[]): RevocationMaterial => ({
  responses: crls.filter(({ tag }) => tag === TAG.constructed(1)).flatMap(readOtherInfo),
  lists: crls.filter(({ tag }) => tag === TAG.sequence).map(({ bytes }) => bytes),
});

const readOtherInfo = (reader: DerReader): readonly Buffer[] => {
  const fields = reader.fields(TAG.constructed(1));
  const format = fields.take().oid();
  const info = fields.take().bytes;
  fields.end();
  return format === OID.riOcspResponse ? [info] : [];
};
