import type { Bytes } from './bytes.js';
import { objectIdentifier, readElements, Tag } from './der.js';

const GIVEN_NAME = '2.5.4.42';
const SURNAME = '2.5.4.4';

/**
 * The person that a certificate names: given name and surname of its subject (RFC 5280, 4.1.2.6). Undefined if it has neither.
 *
 * @param certificate DER
 */
export const certificateHolder = (certificate: Bytes): string | undefined => {
  const [body] = inside(readElements(certificate)?.[0]?.content) ?? [];
  const fields = inside(body?.content) ?? [];
  // version (explicit, left out for v1), serial number, algorithm, issuer, validity, subject
  const subject = fields[fields[0]?.tag === Tag.CONTEXT_0 ? 5 : 4];
  const names = [GIVEN_NAME, SURNAME].map((oid) => attribute(inside(subject?.content) ?? [], oid)).filter((name) => name !== undefined);
  return names.length > 0 ? names.join(' ') : undefined;
};

const inside = (content: Bytes | undefined): ReturnType<typeof readElements> => content && readElements(content);

const attribute = (sets: NonNullable<ReturnType<typeof readElements>>, oid: string): string | undefined => {
  const wanted = objectIdentifier(oid).subarray(2).join();
  for (const set of sets) {
    for (const pair of readElements(set.content) ?? []) {
      const [type, value] = readElements(pair.content) ?? [];
      if (value !== undefined && type?.content.join() === wanted) return new TextDecoder().decode(value.content);
    }
  }
  return undefined;
};
