import type { Bytes } from './bytes.js';
import { certificateFields, inside } from './certificate-fields.js';
import { type DerElement, objectIdentifier } from './der.js';

const GIVEN_NAME = '2.5.4.42';
const SURNAME = '2.5.4.4';

/**
 * The person that a certificate names: given name and surname of its subject (RFC 5280, 4.1.2.6). Undefined if it has neither.
 *
 * @param certificate DER
 */
export const certificateHolder = (certificate: Bytes): string | undefined => {
  const { subject } = certificateFields(certificate);
  const names = [GIVEN_NAME, SURNAME].map((oid) => attribute(inside(subject) ?? [], oid)).filter((name) => name !== undefined);
  return names.length > 0 ? names.join(' ') : undefined;
};

const attribute = (sets: readonly DerElement[], oid: string): string | undefined => {
  const wanted = objectIdentifier(oid).subarray(2).join();
  for (const set of sets) {
    for (const pair of inside(set) ?? []) {
      const [type, value] = inside(pair) ?? [];
      if (value !== undefined && type?.content.join() === wanted) return new TextDecoder().decode(value.content);
    }
  }
  return undefined;
};
