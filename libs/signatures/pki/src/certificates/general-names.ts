import { TAG } from '../der/der.js';
import { DerReader } from '../der/der-reader.js';
import { MalformedDer } from '../der/malformed-der.js';
import { OID } from '../der/oids.js';
import type { Certificate } from './certificate.js';
import { attributesIn } from './name-text.js';
import { onceForCertificate } from './once-for-certificate.js';

/** The choices of GeneralName whose constraints are understood (RFC 5280 §4.2.1.6). */
export const NAME_FORM = {
  email: TAG.primitive(1),
  dns: TAG.primitive(2),
  directory: TAG.constructed(4),
  uri: TAG.primitive(6),
  ip: TAG.primitive(7),
} as const;

/** A GeneralName, or the base of a subtree of names. */
export interface GeneralName {
  /** The tag; see {@link NAME_FORM}. */
  readonly form: number;
  /** The Name, or the content of a primitive choice; of other choices the whole value. */
  readonly value: Buffer;
}

const CONTEXT_CLASS = 0x80;
const MAX_EXTENSION_BYTES = 16 * 1024;

/** Throws {@link MalformedDer}. */
export const readGeneralName = (reader: DerReader): GeneralName => {
  const { tag } = reader;
  if ((tag & 0xc0) !== CONTEXT_CLASS) throw new MalformedDer('a GeneralName expected');
  if (tag === NAME_FORM.directory) return { form: tag, value: reader.only(tag).as(TAG.sequence).bytes };
  return { form: tag, value: tag & 0x20 ? reader.bytes : reader.content() };
};

/** The names in subjectAltName; empty when the extension is absent. Throws {@link MalformedDer}. */
export const alternativeNames = onceForCertificate(({ extensions }): readonly GeneralName[] => {
  const extension = extensions.get(OID.subjectAltName);
  if (!extension) return [];
  const names = DerReader.parse(extension.value, MAX_EXTENSION_BYTES).members(TAG.sequence).map(readGeneralName);
  if (names.length === 0) throw new MalformedDer('an empty subjectAltName');
  return names;
});

/** Every name of the subject (RFC 5280 §6.1.3 b): its distinguished name, unless that is empty, the e-mail addresses in it, and subjectAltName. Throws {@link MalformedDer}. */
export const namesOf = onceForCertificate((certificate): readonly GeneralName[] => [
  ...(hasSubject(certificate) ? [{ form: NAME_FORM.directory, value: certificate.subject }] : []),
  ...attributesIn(certificate.subject, OID.emailAddress).map((text) => ({ form: NAME_FORM.email, value: Buffer.from(text) })),
  ...alternativeNames(certificate),
]);

/** Whether the distinguished name holds anything. */
export const hasSubject = ({ subject }: Certificate): boolean => subject.length > 2;
