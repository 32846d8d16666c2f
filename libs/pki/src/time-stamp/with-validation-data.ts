import type { Certificate } from '../certificates/certificate.js';
import { revocationInfo } from '../cms/revocation-info.js';
import { encode, implicitSetOf, integer, isUniversal, oid, raw, sequence, TAG, tagged } from '../der/der.js';
import { DerReader } from '../der/der-reader.js';
import { OID } from '../der/oids.js';
import type { RevocationEvidence } from '../ocsp/revocation-source.js';

export interface ValidationData {
  readonly certificates: readonly Certificate[];
  readonly revocation: readonly RevocationEvidence[];
}

const MAX_TOKEN_BYTES = 1024 * 1024;

/**
 * The token with these certificates and statements beside those that it holds, where a validator looks for them years later (EN 319 162-1 §A.7). What
 * its unit signed stays as it is. Throws MalformedDer.
 */
export const withValidationData = (token: Uint8Array, { certificates, revocation }: ValidationData): Buffer => {
  const fields = DerReader.parse(token, MAX_TOKEN_BYTES).fields();
  fields.take(TAG.oid);
  const signedData = fields.take().only(TAG.constructed(0)).fields();
  fields.end();
  const version = signedData.take().small();
  const [digestAlgorithms, content] = [signedData.take(), signedData.take()];
  const held = signedData.maybe(TAG.constructed(0))?.members() ?? [];
  const crls = signedData.maybe(TAG.constructed(1))?.members() ?? [];
  const signers = signedData.take();
  signedData.end();

  const allCertificates = distinct([...held.map(({ bytes }) => bytes), ...certificates.map(({ der }) => der)]);
  const allCrls = distinct([...crls.map(({ bytes }) => bytes), ...revocationInfo(revocation).map(encode)]).map(raw);
  return encode(
    sequence(
      oid(OID.signedData),
      tagged(
        0,
        sequence(
          // RFC 5652 §5.1: 5 as soon as crls holds another format than CRLs
          integer(allCrls.every(isUniversal) ? version : 5),
          raw(digestAlgorithms.bytes),
          raw(content.bytes),
          implicitSetOf(0, ...allCertificates.map(raw)),
          ...(allCrls.length > 0 ? [implicitSetOf(1, ...allCrls)] : []),
          raw(signers.bytes),
        ),
      ),
    ),
  );
};

const distinct = (encodings: readonly Buffer[]): readonly Buffer[] => [
  ...new Map(encodings.map((encoding) => [encoding.toString('latin1'), encoding])).values(),
];
