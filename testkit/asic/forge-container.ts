import { hash as digestOf, type KeyObject, sign } from 'node:crypto';

import { ZipFile } from 'yazl';

import {
  attribute,
  Certificate,
  contents,
  type DerNode,
  encode,
  type HashName,
  integer,
  isUniversal,
  octetString,
  oid,
  OID,
  raw,
  sequence,
  setOf,
  signedData,
  signingCertificateV2,
  TAG,
  time,
} from '#signatures/pki';

import type { Evidence } from '#signatures/asic';
import { attachBlob } from '#signatures/asic';
import { MANIFEST_ENTRY, MEDIA_TYPE, MIMETYPE_ENTRY, SIGNATURE_ENTRY } from '#signatures/asic';
import { derFromP1363 } from '#signatures/asic';
import { ZipReader } from '#signatures/asic';
import { FILE, FILE_NAME, type Signed, type Signer, type SigningKit } from './signing-kit.js';

export interface ForgedEntry {
  readonly name: string;
  readonly content: Buffer;
  readonly compress?: boolean;
}

/** The standard attributes, by name, so that a forgery can leave one out or put another in its place. */
export interface StandardAttributes {
  readonly contentType: DerNode;
  readonly messageDigest: DerNode;
  readonly signingTime: DerNode;
  readonly signingCertificate: DerNode;
}

/** The differences from a valid container of level LT. */
export interface Forgery {
  /** Replaces the phone with its certificate of the development trust service. */
  readonly phone?: Signer;
  /** Milliseconds from the issue of the signer's certificate to the scan. */
  readonly beforeSigning?: number;
  readonly manifest?: (manifest: string) => string;
  readonly attributes?: (standard: StandardAttributes) => readonly DerNode[];
  /** Signed in the order given, not sorted. */
  readonly signedAsGiven?: boolean;
  /** Stored in the order given, not in the signed one. */
  readonly storedAsGiven?: boolean;
  readonly signature?: (p1363: Buffer) => Buffer;
  /** Signs by another algorithm, with SHA-256. `identifier`: its AlgorithmIdentifier. */
  readonly algorithm?: { readonly identifier: DerNode; readonly sign: (toBeSigned: Buffer, key: KeyObject) => Buffer };
  readonly digestAlgorithm?: DerNode;
  /** In `digestAlgorithms`. */
  readonly announcedHash?: HashName;
  readonly version?: number;
  /** Of the CMS; the signed attribute stays `data`. */
  readonly contentType?: string;
  /** Stored in the CMS, which then is not detached. */
  readonly content?: Buffer;
  readonly signerVersion?: number;
  /** Replaces issuer and serial number. */
  readonly signerIdentifier?: (certificate: Certificate) => DerNode;
  /** Stored in the order of their encodings. */
  readonly unsigned?: (standard: readonly DerNode[]) => readonly DerNode[];
  readonly stamped?: (signature: Buffer) => Buffer;
  readonly evidence?: (signed: Signed) => Promise<Evidence>;
  readonly certificates?: (all: readonly Certificate[]) => readonly Certificate[];
  readonly crls?: (all: readonly DerNode[]) => readonly DerNode[];
  readonly entries?: (standard: readonly ForgedEntry[]) => readonly ForgedEntry[];
}

const HASH = 'sha256';

/** A container with the file inside, built by hand, from a P-256 signature unless the forgery names another algorithm. */
export const forgeContainer = async (kit: SigningKit, forgery: Forgery = {}): Promise<Buffer> => {
  const phone = forgery.phone ?? (await kit.signer('P-256'));
  kit.clock.advance(forgery.beforeSigning ?? 0);
  const signed = kit.sign(phone);
  const certificate = Certificate.parse(signed.signer.certificate);
  const manifest = Buffer.from((forgery.manifest ?? ((same) => same))(signed.prepared.manifest.toString()));
  const attributes = (forgery.attributes ?? ((standard) => Object.values(standard) as DerNode[]))({
    contentType: attribute(OID.contentType, oid(OID.data)),
    messageDigest: attribute(OID.messageDigest, octetString(digestOf(HASH, manifest, 'buffer'))),
    signingTime: attribute(OID.signingTime, time(signed.signingTime)),
    signingCertificate: attribute(OID.signingCertificateV2, signingCertificateV2(certificate)),
  });
  const asGiven = contents(TAG.set, Buffer.concat(attributes.map(encode)));
  const toBeSigned = encode(forgery.signedAsGiven ? asGiven : setOf(...attributes));
  const { privateKey } = signed.signer.keys;
  const p1363 = (): Buffer => sign(HASH, toBeSigned, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  const signature = forgery.algorithm?.sign(toBeSigned, privateKey) ?? (forgery.signature ?? derFromP1363)(p1363());

  const stamped = (forgery.stamped ?? ((same) => same))(signature);
  const evidence = await (forgery.evidence ?? ((what) => kit.evidence(what)))({ ...signed, signature: stamped });
  const stored = encode(forgery.storedAsGiven ? asGiven : setOf(...attributes));
  const p7s = cms({ forgery, certificate, signed, evidence, signature, stored });
  const entries: readonly ForgedEntry[] = [
    { name: MIMETYPE_ENTRY, content: Buffer.from(MEDIA_TYPE) },
    { name: MANIFEST_ENTRY, content: manifest },
    { name: SIGNATURE_ENTRY, content: p7s },
    { name: FILE_NAME, content: FILE },
  ];
  return pack((forgery.entries ?? ((same) => same))(entries));
};

interface CmsParts {
  readonly forgery: Forgery;
  readonly certificate: Certificate;
  readonly signed: Signed;
  readonly evidence: Evidence;
  readonly signature: Buffer;
  readonly stored: Buffer;
}

const cms = ({ forgery, certificate, signed, evidence, signature, stored }: CmsParts): Buffer => {
  const attributes = Buffer.from(stored);
  attributes[0] = TAG.constructed(0);
  const timeStamp = evidence.level === 'B' ? undefined : evidence.timeStamp;
  const crls = evidence.level === 'LT' ? evidence.revocation.map(({ type, der }) => (type === 'crl' ? raw(der) : otherInfo(der))) : [];
  const certificates = [certificate, ...signed.signer.chain.map(Certificate.parse), ...(timeStamp ? [timeStamp.chain[0]] : [])];
  const kept = distinct((forgery.crls ?? ((same) => same))(crls));
  const issuerAndSerial = sequence(raw(certificate.issuer), contents(TAG.integer, certificate.serial));
  const standardUnsigned = timeStamp ? [attribute(OID.signatureTimeStamp, raw(timeStamp.token))] : [];
  const unsigned = [...(forgery.unsigned ?? ((same) => same))(standardUnsigned)].map(encode).sort(Buffer.compare);
  const signer = sequence(
    integer(forgery.signerVersion ?? 1),
    forgery.signerIdentifier?.(certificate) ?? issuerAndSerial,
    forgery.digestAlgorithm ?? sequence(oid(OID.sha256)),
    raw(attributes),
    forgery.algorithm?.identifier ?? sequence(oid(OID.ecdsaWithSha256)),
    octetString(signature),
    ...(unsigned.length > 0 ? [contents(TAG.constructed(1), Buffer.concat(unsigned))] : []),
  );
  return encode(
    signedData({
      version: forgery.version ?? (kept.every(isUniversal) ? 1 : 5),
      hash: forgery.announcedHash ?? HASH,
      contentType: forgery.contentType ?? OID.data,
      ...(forgery.content && { content: forgery.content }),
      certificates: (forgery.certificates ?? ((same) => same))(certificates),
      crls: kept,
      signer,
    }),
  );
};

const otherInfo = (response: Buffer): DerNode => contents(TAG.constructed(1), Buffer.concat([encode(oid(OID.riOcspResponse)), response]));

const distinct = (nodes: readonly DerNode[]): readonly DerNode[] => [...new Map(nodes.map((node) => [encode(node).toString('hex'), node])).values()];

export const entriesOf = async (container: Buffer): Promise<{ name: string; content: Buffer }[]> => {
  await using zip = await ZipReader.open(container);
  const entries: { name: string; content: Buffer }[] = [];
  for (const entry of zip.entries) entries.push({ name: entry.name, content: await zip.read(entry, 1 << 20) });
  return entries;
};

export const pack = async (entries: readonly ForgedEntry[]): Promise<Buffer> => {
  const zip = new ZipFile();
  for (const { name, content, compress = false } of entries) {
    zip.addBuffer(content, name, { compress, forceDosTimestamp: true, mode: 0o100644, mtime: new Date(2026, 5, 1) });
  }
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** The container with these files inside. Default: the file of the kit. */
export const completed = async (container: Buffer, ...files: readonly Buffer[]): Promise<Buffer> => {
  let whole = new Blob([container as Buffer<ArrayBuffer>]);
  for (const file of files.length > 0 ? files : [FILE]) whole = await attachBlob(whole, new Blob([file as Buffer<ArrayBuffer>]));
  return Buffer.from(await whole.arrayBuffer());
};
