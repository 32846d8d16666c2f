import { TAG } from '../der/der.js';
import type { DerReader } from '../der/der-reader.js';
import { OID } from '../der/oids.js';

/** The choice uniformResourceIdentifier of a GeneralName (RFC 5280 §4.2.1.6). */
const URI = TAG.primitive(6);

const textOf = (uri: DerReader): string => uri.content().toString('latin1');

/** The first OCSP address in AuthorityInfoAccess (RFC 5280 §4.2.2.1); undefined when the extension has none or is absent. Throws `MalformedDer`. */
export const ocspAddress = (access: DerReader | undefined): string | undefined => {
  for (const description of access?.members(TAG.sequence) ?? []) {
    const fields = description.fields();
    if (fields.take().oid() !== OID.accessOcsp) continue;
    const location = fields.take();
    if (location.tag === URI) return textOf(location);
  }
  return undefined;
};

/** The addresses of all lists in CRLDistributionPoints (RFC 5280 §4.2.1.13); empty when the extension is absent. Throws `MalformedDer`. */
export const crlAddresses = (points: DerReader | undefined): readonly string[] =>
  (points?.members(TAG.sequence) ?? []).flatMap((point) => addressesOfPoint(point.fields().maybe(TAG.constructed(0))));

/** The addresses in `[0] DistributionPointName` with the choice fullName. */
const addressesOfPoint = (name: DerReader | undefined): readonly string[] => {
  const names = name?.fields(TAG.constructed(0)).maybe(TAG.constructed(0));
  return (names?.members() ?? []).filter(({ tag }) => tag === URI).map(textOf);
};
