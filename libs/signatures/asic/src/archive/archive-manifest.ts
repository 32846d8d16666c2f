import { hash } from 'node:crypto';

import { ARCHIVE_MANIFEST_ENTRY, archiveTokenEntry, MANIFEST_ENTRY, pastArchiveManifestEntry, SIGNATURE_ENTRY } from '../container-layout.js';
import { readManifest, type SignedDocument, uriOf } from '../manifest.js';

/** An archive time-stamp: its manifest, and the token over the manifest's bytes. */
export interface ArchiveTimeStamp {
  readonly manifest: Buffer;
  /** DER, as it lies in the container. */
  readonly token: Buffer;
}

/** All that an archive time-stamp covers. */
export interface ArchivedContents {
  /** The manifest of the signature. */
  readonly manifest: Uint8Array;
  readonly signature: Uint8Array;
  readonly documents: readonly SignedDocument[];
  /** The archive time-stamps before it, oldest first. */
  readonly earlier: readonly ArchiveTimeStamp[];
}

/** All that the first archive time-stamp of a signature covers. */
export const firstArchiveOf = (manifest: Uint8Array, signature: Uint8Array): ArchivedContents => ({
  manifest,
  signature,
  documents: readManifest(manifest)?.documents ?? [],
  earlier: [],
});

const XML = 'text/xml';
const TOKEN = 'application/vnd.etsi.timestamp-token';

/**
 * The bytes of the ASiCArchiveManifest of the next archive time-stamp (EN 319 162-1 §A.7): signature, manifest, documents, and every earlier archive
 * time-stamp with its manifest. There is only one form: a verifier writes the manifest again from the container and compares the bytes.
 */
export const writeArchiveManifest = ({ manifest, signature, documents, earlier }: ArchivedContents): Buffer => {
  const references = [
    reference(SIGNATURE_ENTRY, 'application/pkcs7-signature', sha512(signature)),
    reference(MANIFEST_ENTRY, XML, sha512(manifest)),
    ...earlier.flatMap((one, at) => [
      reference(archiveTokenEntry(at + 1), TOKEN, sha512(one.token)),
      // Rootfile: the manifest that was the last one until now
      reference(pastArchiveManifestEntry(at + 1), XML, sha512(one.manifest), at === earlier.length - 1 ? ' Rootfile="true"' : ''),
    ]),
    ...documents.map((document) => reference(uriOf(document.name), 'application/octet-stream', Buffer.from(document.hash))),
  ];
  return Buffer.from(
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n' +
      '<asic:ASiCManifest xmlns:asic="http://uri.etsi.org/02918/v1.2.1#" xmlns:ds="http://www.w3.org/2000/09/xmldsig#">' +
      `<asic:SigReference MimeType="${TOKEN}" URI="${archiveTokenEntry(earlier.length + 1)}"/>${references.join('')}</asic:ASiCManifest>`,
  );
};

/** The names of the entries of that many archive time-stamps, oldest first: manifest and token. */
export const archiveEntryNames = (count: number): readonly { readonly manifest: string; readonly token: string }[] =>
  Array.from({ length: count }, (_, at) => ({
    manifest: at === count - 1 ? ARCHIVE_MANIFEST_ENTRY : pastArchiveManifestEntry(at + 1),
    token: archiveTokenEntry(at + 1),
  }));

/** The entries of archive time-stamps, in the order in which they lie in a container. */
export const archiveEntries = (stamps: readonly ArchiveTimeStamp[]): readonly { readonly name: string; readonly content: Buffer }[] =>
  archiveEntryNames(stamps.length).flatMap((names, at) => {
    const { manifest, token } = stamps[at] as ArchiveTimeStamp;
    return [
      { name: names.manifest, content: manifest },
      { name: names.token, content: token },
    ];
  });

const DIGEST_VALUE = /(<ds:DigestValue>)[^<]*/g;

/** Whether two archive manifests name the same entries in the same form, whatever their digests. */
export const namesTheSame = (one: Buffer, other: Buffer): boolean =>
  one.toString('latin1').replaceAll(DIGEST_VALUE, '$1') === other.toString('latin1').replaceAll(DIGEST_VALUE, '$1');

const reference = (uri: string, mimeType: string, digest: Buffer, more = ''): string =>
  `<asic:DataObjectReference MimeType="${mimeType}" URI="${uri}"${more}>` +
  '<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha512"/>' +
  `<ds:DigestValue>${digest.toString('base64')}</ds:DigestValue></asic:DataObjectReference>`;

const sha512 = (bytes: Uint8Array): Buffer => hash('sha512', bytes, 'buffer');
