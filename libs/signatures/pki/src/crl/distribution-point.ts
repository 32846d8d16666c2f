import { sameName } from '../certificates/same-name.js';
import { onceForCertificate } from '../certificates/once-for-certificate.js';
import { encode, raw, sequence, TAG } from '../der/der.js';
import { DerReader } from '../der/der-reader.js';
import { OID } from '../der/oids.js';

/** A GeneralName: its tag, and the Name or the text in it, or else the whole name. */
export interface PointName {
  readonly tag: number;
  readonly value: Buffer;
}

const DIRECTORY_NAME = TAG.constructed(4);
const URI = TAG.primitive(6);
const MAX_EXTENSION_BYTES = 16 * 1024;

/** The names in `[0] DistributionPointName` (RFC 5280 §4.2.1.13); a name relative to the issuer of the list is written out. Throws MalformedDer. */
export const namesOfPoint = (point: DerReader | undefined, issuer: Buffer): readonly PointName[] => {
  const choice = point?.only(TAG.constructed(0));
  if (!choice) return [];
  if (choice.tag === TAG.constructed(0)) return choice.members().map(readName);
  const relative = choice.as(TAG.constructed(1)).bytes;
  // [1] RelativeDistinguishedName: the same content as a SET
  relative[0] = TAG.set;
  const parts = DerReader.parse(issuer, MAX_EXTENSION_BYTES).members(TAG.sequence);
  return [{ tag: DIRECTORY_NAME, value: sequenceOf([...parts.map(({ bytes }) => bytes), relative]) }];
};

/** The points at which a certificate says that lists of its own issuer are found. Throws MalformedDer. */
export const pointsOf = onceForCertificate(({ extensions, issuer }): readonly PointName[] => {
  const extension = extensions.get(OID.crlDistributionPoints);
  const points = extension ? DerReader.parse(extension.value, MAX_EXTENSION_BYTES).members(TAG.sequence) : [];
  return points.flatMap((point) => {
    const fields = point.fields();
    const name = fields.maybe(TAG.constructed(0));
    fields.maybe(TAG.primitive(1));
    // a list of another issuer
    return fields.maybe(TAG.constructed(2)) ? [] : namesOfPoint(name, issuer);
  });
});

/** Whether two names of points are the same (RFC 5280 §7.1 and 7.4). */
export const samePoint = (one: PointName, other: PointName): boolean => {
  if (one.tag !== other.tag) return false;
  if (one.tag === DIRECTORY_NAME) return sameName(one.value, other.value);
  return one.value.equals(other.value) || (one.tag === URI && sameUri(one.value.toString('latin1'), other.value.toString('latin1')));
};

/** RFC 5280 §7.4: scheme and host in upper and lower case, and the steps of a path, do not count. */
const sameUri = (one: string, other: string): boolean => {
  const [a, b] = [URL.parse(one), URL.parse(other)];
  return a !== null && a.href === b?.href;
};

const readName = (name: DerReader): PointName => ({
  tag: name.tag,
  value: name.tag === DIRECTORY_NAME ? name.only(DIRECTORY_NAME).bytes : name.tag === URI ? name.content() : name.bytes,
});

const sequenceOf = (members: readonly Buffer[]): Buffer => encode(sequence(...members.map(raw)));
