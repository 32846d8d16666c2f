import { hash } from 'node:crypto';

import { Certificate } from '../certificates/certificate.js';
import { sameName } from '../certificates/same-name.js';
import { TAG } from '../der/der.js';
import { DerReader } from '../der/der-reader.js';
import { MalformedDer } from '../der/malformed-der.js';
import { OID } from '../der/oids.js';
import { findHash, readHash, verifies } from './algorithms.js';
import type { HashName } from './signature-scheme.js';

/** A CMS SignedData (RFC 5652 §5) with exactly one signer. Read, not verified. */
export interface SignedData {
  readonly version: number;
  readonly contentType: string;
  /** Absent when the signature is detached. */
  readonly content: Buffer | undefined;
  readonly certificates: readonly Certificate[];
  /** Whether there are certificates of other kinds, such as attribute certificates. */
  readonly otherCertificates: boolean;
  /** Whether `version`, and that of the signer, are those that the contents demand (RFC 5652 §5.1 and 5.3). No signature covers them. */
  readonly rightVersions: boolean;
  /** Complete encodings of the members of `crls`: CertificateLists and `[1]` OtherRevocationInfoFormat. */
  readonly crls: readonly DerReader[] | undefined;
  readonly signer: SignerInfo;
  /** Whether `digestAlgorithms` names the hash of the signer (RFC 5652 §5.1). */
  readonly announcesDigest: boolean;
  /** Whether every SET OF that the writer of the outermost structure orders stands in DER order (X.690 §11.6). */
  readonly ordered: boolean;
}

export interface SignerInfo {
  readonly version: number;
  /** issuerAndSerialNumber, or undefined when the signer is named by its key identifier. */
  readonly issuerAndSerial: { readonly issuer: Buffer; readonly serial: Buffer } | undefined;
  readonly subjectKeyIdentifier: Buffer | undefined;
  readonly hash: HashName;
  /** The signed SET OF: the value stored under `[0]`, with its own tag. */
  readonly signedAttributes: Buffer;
  readonly signed: Attributes;
  readonly signatureAlgorithm: DerReader;
  readonly signature: Buffer;
  readonly unsigned: Attributes;
}

/** Attribute type to its values. */
export type Attributes = ReadonlyMap<string, readonly DerReader[]>;

/** A signer's, a time-stamping unit's and a responder's chains are a dozen certificates; more only costs time. */
const MAX_CERTIFICATES = 32;
/** CertificateChoices (RFC 5652 §10.2.2). */
const ATTRIBUTE_CERTIFICATE_V1 = 1;
const ATTRIBUTE_CERTIFICATE_V2 = 2;
const OTHER_CERTIFICATE = 3;

/** Throws {@link MalformedDer}. */
export const readSignedData = (der: Uint8Array, limit: number): SignedData => readContentInfo(DerReader.parse(der, limit));

/** {@link readSignedData} of a value that was read before. Throws {@link MalformedDer}. */
export const readContentInfo = (reader: DerReader): SignedData => {
  const contentInfo = reader.fields();
  if (contentInfo.take().oid() !== OID.signedData) throw new MalformedDer('SignedData expected');
  const fields = contentInfo.take().only(TAG.constructed(0)).fields();
  contentInfo.end();

  const version = fields.take().small();
  const digestAlgorithms = fields.take().members(TAG.set);
  const encapsulated = fields.take().fields();
  const contentType = encapsulated.take().oid();
  const content = encapsulated.maybe(TAG.constructed(0))?.only(TAG.constructed(0)).octets();
  encapsulated.end();
  const certificates = fields.maybe(TAG.constructed(0))?.members() ?? [];
  if (certificates.length > MAX_CERTIFICATES) throw new MalformedDer('too many certificates');
  const crls = fields.maybe(TAG.constructed(1))?.members();
  const signer = fields.take().only(TAG.set);
  fields.end();
  const signerInfo = readSigner(signer);

  return {
    version,
    contentType,
    content,
    certificates: certificates.filter(({ tag }) => tag === TAG.sequence).map(({ view }) => Certificate.parse(view)),
    otherCertificates: certificates.some(({ tag }) => tag !== TAG.sequence),
    rightVersions:
      version === demandedVersion({ contentType, certificates, crls, signer: signerInfo }) && signerInfo.version === versionOf(signerInfo),
    crls,
    signer: signerInfo,
    announcesDigest: digestAlgorithms.some((algorithm) => findHash(algorithm) === signerInfo.hash),
    ordered: [digestAlgorithms, certificates, crls ?? [], ...attributeSets(signer)].every(inSetOrder),
  };
};

/** RFC 5652 §5.3. */
const versionOf = ({ issuerAndSerial }: SignerInfo): number => (issuerAndSerial ? 1 : 3);

interface VersionedParts {
  readonly contentType: string;
  readonly certificates: readonly DerReader[];
  readonly crls: readonly DerReader[] | undefined;
  readonly signer: SignerInfo;
}

/** RFC 5652 §5.1, CMSVersion by the choices that the sets hold. */
const demandedVersion = ({ contentType, certificates, crls = [], signer }: VersionedParts): number => {
  const holds = (choice: number): boolean => certificates.some(({ tag }) => tag === TAG.constructed(choice));
  if (holds(OTHER_CERTIFICATE) || crls.some(({ tag }) => tag === TAG.constructed(1))) return 5;
  if (holds(ATTRIBUTE_CERTIFICATE_V2)) return 4;
  return holds(ATTRIBUTE_CERTIFICATE_V1) || versionOf(signer) === 3 || contentType !== OID.data ? 3 : 1;
};

const readSigner = (reader: DerReader): SignerInfo => {
  const fields = reader.fields();
  const version = fields.take().small();
  const issuerAndSerial = fields.maybe(TAG.sequence)?.fields();
  const subjectKeyIdentifier = issuerAndSerial ? undefined : fields.take(TAG.primitive(0)).content();
  const hashName = readHash(fields.take());
  const signed = fields.take(TAG.constructed(0));
  const signatureAlgorithm = fields.take();
  const signature = fields.take().octets();
  const unsigned = fields.maybe(TAG.constructed(1));
  fields.end();
  const signedAttributes = signed.bytes;
  signedAttributes[0] = TAG.set;
  return {
    version,
    issuerAndSerial: issuerAndSerial && { issuer: issuerAndSerial.take().bytes, serial: issuerAndSerial.take().integer() },
    subjectKeyIdentifier,
    hash: hashName,
    signedAttributes,
    signed: readAttributes(signed),
    signatureAlgorithm,
    signature,
    unsigned: unsigned ? readAttributes(unsigned) : new Map(),
  };
};

/** RFC 5652 §11: each of the attributes that we know stands once; so it must be for all. */
const readAttributes = (reader: DerReader): Attributes => {
  const attributes = new Map<string, readonly DerReader[]>();
  for (const attribute of reader.members()) {
    const fields = attribute.fields();
    const type = fields.take().oid();
    const values = fields.take().members(TAG.set);
    fields.end();
    if (attributes.has(type) || values.length === 0) throw new MalformedDer('attribute twice or empty');
    attributes.set(type, values);
  }
  return attributes;
};

/** The value of an attribute that has one; undefined when the attribute is absent. */
export const soleValue = (attributes: Attributes, type: string): DerReader | undefined => {
  const values = attributes.get(type);
  if (values && values.length !== 1) throw new MalformedDer('attribute with several values');
  return values?.[0];
};

const attributeSets = (signer: DerReader): readonly (readonly DerReader[])[] => {
  const sets = signer.members().filter(({ tag }) => tag === TAG.constructed(0) || tag === TAG.constructed(1));
  return sets.flatMap((set) => [set.members(), ...set.members().map((attribute) => attribute.members()[1]?.members() ?? [])]);
};

const inSetOrder = (members: readonly DerReader[]): boolean => {
  const encodings = members.map(({ view }) => view);
  return encodings.every((bytes, at) => at === 0 || Buffer.compare(encodings[at - 1] as Buffer, bytes) <= 0);
};

/** The certificate that the SignerInfo names, from those given. */
export const signerCertificate = (signer: SignerInfo, candidates: readonly Certificate[]): Certificate | undefined =>
  candidates.find(({ issuer, serial, extensions }) => {
    if (signer.issuerAndSerial) return signer.issuerAndSerial.serial.equals(serial) && sameName(signer.issuerAndSerial.issuer, issuer);
    const identifier = extensions.get(OID.subjectKeyIdentifier)?.value;
    return identifier && signer.subjectKeyIdentifier?.equals(DerReader.parse(identifier, 256).octets());
  });

/** RFC 5652 §5.4: whether message-digest is that of the content. */
export const isDigestOf = (signer: SignerInfo, content: Buffer): boolean =>
  soleValue(signer.signed, OID.messageDigest)
    ?.octets()
    .equals(hash(signer.hash, content, 'buffer')) === true;

/** RFC 5652 §5.4 and 5.6: content-type, message-digest, and the signature over the attributes. */
export const isSignatureOver = (signer: SignerInfo, content: Buffer, contentType: string, certificate: Certificate): boolean =>
  soleValue(signer.signed, OID.contentType)?.oid() === contentType &&
  isDigestOf(signer, content) &&
  verifies(signer.signatureAlgorithm, {
    data: signer.signedAttributes,
    key: certificate.publicKey,
    signature: signer.signature,
    digest: signer.hash,
  });
