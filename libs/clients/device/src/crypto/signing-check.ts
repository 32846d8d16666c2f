import { documentsOf, type SessionRequest } from '../api/session-request.js';
import type { SignatureAlgorithm } from '../device/keys.js';
import { type Bytes, digest, equalBytes, fromBase64, utf8 } from './bytes.js';
import { type DerElement, objectIdentifier, readElements, Tag } from './der.js';
import { expectedManifest } from './manifest.js';

const ID_DATA = '1.2.840.113549.1.7.1';
const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const SIGNING_TIME = '1.2.840.113549.1.9.5';
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47';

/** The signing-time may differ this much from the service's clock (specification/signing.md#from-scan-to-result: the session's lifetime and a margin). */
const TIME_TOLERANCE_MS = 10 * 60_000;

/**
 * The CAdES attributes to sign, if they cover the relying party, the title, and each name and hash on the screen: these → manifest →
 * message-digest → attributes, this device's own certificate, and the current time (specification/signing.md#the-cms-signature). Undefined otherwise.
 *
 * @param certificate DER of this device's signing certificate
 * @param now epoch milliseconds
 * @param algorithm of this device's signing key
 */
export const checkSigning = async (
  request: SessionRequest,
  certificate: Bytes,
  now: number,
  algorithm: SignatureAlgorithm = 'ES256',
): Promise<Bytes | undefined> => {
  const { manifest, toBeSigned, signatureAlgorithm } = request;
  const documents = documentsOf(request);
  if (documents.length === 0 || manifest === undefined) return undefined;
  if (signatureAlgorithm !== algorithm || !documents.every(({ hash }) => /^[0-9a-f]{128}$/.test(hash))) return undefined;

  const shown = expectedManifest({ ...request, documents });
  const bytes = fromBase64(toBeSigned);
  const attributes = bytes && readAttributes(bytes);
  if (bytes === undefined || attributes === undefined || !equalBytes(manifestBytes(manifest), shown)) return undefined;

  const genuine =
    attributes.size === 4 &&
    equalBytes(attributes.get(CONTENT_TYPE) ?? EMPTY, objectIdentifier(ID_DATA)) &&
    equalBytes(octets(attributes.get(MESSAGE_DIGEST)), await digest('SHA-256', shown)) &&
    equalBytes(certificateHash(attributes.get(SIGNING_CERTIFICATE_V2)), await digest('SHA-256', certificate)) &&
    Math.abs(utcTime(attributes.get(SIGNING_TIME)) - now) <= TIME_TOLERANCE_MS;
  return genuine ? bytes : undefined;
};

/**
 * The checked attributes with another signing time. Undefined when that time is too far from the one in them: the service's clock went wrong, or it lies.
 *
 * @param checked as {@link checkSigning} answered
 * @param signingTime epoch seconds
 */
export const atSigningTime = (checked: Bytes, signingTime: number): Bytes | undefined => {
  const before = readAttributes(checked)?.get(SIGNING_TIME);
  const at = signingTime * 1000;
  if (before === undefined || !(Math.abs(utcTime(before) - at) <= TIME_TOLERANCE_MS)) return undefined;
  const text = new Date(at).toISOString().replace(/^20(..)-(..)-(..)T(..):(..):(..).*$/, '$1$2$3$4$5$6Z');
  const timed = Uint8Array.from(checked);
  timed.set(utf8(text), before.byteOffset - checked.byteOffset + 2);
  return timed;
};

const EMPTY: Bytes = new Uint8Array(0);

/** The manifest travels as base64; an XML text never looks like that. */
const manifestBytes = (manifest: string): Bytes => (manifest.startsWith('<') ? utf8(manifest) : (fromBase64(manifest) ?? EMPTY));

/** Each attribute's single value by its OID, or undefined for anything but a SET of distinct single-valued attributes. */
const readAttributes = (bytes: Bytes): ReadonlyMap<string, Bytes> | undefined => {
  const set = only(bytes, Tag.SET);
  const members = set && readElements(set.content);
  const attributes = new Map<string, Bytes>();
  for (const member of members ?? []) {
    const [type, values, ...more] = (member.tag === Tag.SEQUENCE && readElements(member.content)) || [];
    if (type?.tag !== Tag.OBJECT_IDENTIFIER || values?.tag !== Tag.SET || more.length > 0) return undefined;
    if (readElements(values.content)?.length !== 1) return undefined;
    const name = KNOWN_ATTRIBUTES.find((oid) => equalBytes(objectIdentifier(oid).subarray(2), type.content));
    if (name === undefined || attributes.has(name)) return undefined;
    attributes.set(name, values.content);
  }
  return members === undefined ? undefined : attributes;
};

const KNOWN_ATTRIBUTES = [CONTENT_TYPE, MESSAGE_DIGEST, SIGNING_TIME, SIGNING_CERTIFICATE_V2];

const only = (bytes: Bytes, tag: number): DerElement | undefined => {
  const elements = readElements(bytes);
  return elements?.length === 1 && elements[0]?.tag === tag ? elements[0] : undefined;
};

const octets = (value: Bytes | undefined): Bytes => only(value ?? EMPTY, Tag.OCTET_STRING)?.content ?? EMPTY;

/** SigningCertificateV2 → certs → its one ESSCertIDv2 → certHash; SHA-256 is the default and left out (RFC 5035). */
const certificateHash = (value: Bytes | undefined): Bytes => {
  const certificates = only(only(value ?? EMPTY, Tag.SEQUENCE)?.content ?? EMPTY, Tag.SEQUENCE);
  const reference = only(certificates?.content ?? EMPTY, Tag.SEQUENCE);
  const [hash] = readElements(reference?.content ?? EMPTY) ?? [];
  return hash?.tag === Tag.OCTET_STRING ? hash.content : EMPTY;
};

/** `YYMMDDHHMMSSZ`, years 1950 to 2049 (RFC 5652 section 11.3). NaN for anything else. */
const utcTime = (value: Bytes | undefined): number => {
  const text = new TextDecoder().decode(only(value ?? EMPTY, Tag.UTC_TIME)?.content ?? EMPTY);
  const parts = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text)?.slice(1);
  if (parts === undefined) return Number.NaN;
  const [year = '', month, day, hour, minute, second] = parts;
  return Date.parse(`${Number(year) < 50 ? '20' : '19'}${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
};
