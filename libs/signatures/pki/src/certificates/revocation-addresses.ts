import { TAG } from '../der/der.js';
import type { DerReader } from '../der/der-reader.js';
import { OID } from '../der/oids.js';

/** The choice uniformResourceIdentifier of a GeneralName (RFC 5280 §4.2.1.6). */
const URI = TAG.primitive(6);

/** A certificate could name any number of addresses. The first ones of HTTP count, so that a call ends in a bounded time. */
const MAX_ADDRESSES = 8;

/** RFC 3986 §3.1: a scheme may be written in capitals. Addresses of LDAP and FTP cannot be asked. */
const usable = (uris: readonly DerReader[]): readonly string[] =>
  uris
    .map((uri) => uri.content().toString('latin1'))
    .filter((text) => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? ''))
    .filter((text, at, all) => all.indexOf(text) === at)
    .slice(0, MAX_ADDRESSES);

/** The OCSP addresses of HTTP in AuthorityInfoAccess (RFC 5280 §4.2.2.1), in their order; empty when the extension is absent. Throws `MalformedDer`. */
export const ocspAddresses = (access: DerReader | undefined): readonly string[] =>
  usable(
    (access?.members(TAG.sequence) ?? []).flatMap((description) => {
      const fields = description.fields();
      const method = fields.take().oid();
      const location = fields.take();
      return method === OID.accessOcsp && location.tag === URI ? [location] : [];
    }),
  );

/** The addresses of HTTP of all lists in CRLDistributionPoints (RFC 5280 §4.2.1.13), in their order; empty when absent. Throws `MalformedDer`. */
export const crlAddresses = (points: DerReader | undefined): readonly string[] =>
  usable((points?.members(TAG.sequence) ?? []).flatMap((point) => addressesOfPoint(point.fields().maybe(TAG.constructed(0)))));

/** The addresses in `[0] DistributionPointName` with the choice fullName. */
const addressesOfPoint = (name: DerReader | undefined): readonly DerReader[] => {
  const names = name?.fields(TAG.constructed(0)).maybe(TAG.constructed(0));
  return (names?.members() ?? []).filter(({ tag }) => tag === URI);
};
