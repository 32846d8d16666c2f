import type { Bytes } from './bytes.js';
import { type DerElement, readElements, Tag } from './der.js';

/** The fields of a certificate (RFC 5280, 4.1.2) that this phone looks at. */
export interface CertificateFields {
  readonly validity: DerElement | undefined;
  readonly subject: DerElement | undefined;
  readonly key: DerElement | undefined;
}

/** @param certificate DER; other bytes have no fields */
export const certificateFields = (certificate: Bytes): CertificateFields => {
  const [body] = inside(readElements(certificate)?.[0]) ?? [];
  const fields = inside(body) ?? [];
  // version (explicit, left out for v1), serial number, algorithm, issuer, validity, subject, key
  const [, , , validity, subject, key] = fields[0]?.tag === Tag.CONTEXT_0 ? fields.slice(1) : fields;
  return { validity, subject, key };
};

/** The elements in an element. */
export const inside = (element: DerElement | undefined): ReturnType<typeof readElements> => element && readElements(element.content);
