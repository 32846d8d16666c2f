import type { Bytes } from './bytes.js';
import { certificateFields, inside } from './certificate-fields.js';
import { type DerElement, Tag } from './der.js';

/** Epoch milliseconds. */
export interface Validity {
  readonly notBefore: number;
  readonly notAfter: number;
}

/**
 * The period in which a certificate is valid (RFC 5280, 4.1.2.5). Undefined for bytes that are no certificate.
 *
 * @param certificate DER
 */
export const certificateValidity = (certificate: Bytes): Validity | undefined => {
  const [notBefore = Number.NaN, notAfter = Number.NaN] = (inside(certificateFields(certificate).validity) ?? []).map(timeOf);
  return Number.isNaN(notBefore) || Number.isNaN(notAfter) ? undefined : { notBefore, notAfter };
};

/** UTCTime `YYMMDDHHMMSSZ`, years 1950 to 2049, or GeneralizedTime `YYYYMMDDHHMMSSZ`. NaN for anything else. */
const timeOf = ({ tag, content }: DerElement): number => {
  const text = new TextDecoder().decode(content);
  const whole = tag === Tag.UTC_TIME ? `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}` : text;
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(whole)?.slice(1);
  if (parts === undefined || (tag !== Tag.UTC_TIME && tag !== Tag.GENERALIZED_TIME)) return Number.NaN;
  const [year, month, day, hour, minute, second] = parts;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
};
