import { SIGNATURE_ENTRY } from './container-layout.js';
import { collidingName, isSignedDataName } from './signed-data-name.js';

/** A document of a signature: the name of the file in the container, and its SHA-512. */
export interface SignedDocument {
  readonly name: string;
  /** 64 bytes. */
  readonly hash: Uint8Array;
}

/** The request that the signer approved, as the phone has shown it. */
export interface SignedRequest {
  readonly relyingParty: string;
  readonly title?: string;
}

/** The contents of an ASiCManifest. */
export interface AsicManifest {
  /** 1 to {@link MAX_DOCUMENTS}. */
  readonly documents: readonly SignedDocument[];
  readonly request?: SignedRequest;
}

export const MAX_DOCUMENTS = 50;
/** 50 names of 255 code points, each percent-encoded in 12 characters, and their digests. */
export const MAX_MANIFEST_BYTES = 192 * 1024;

const HASH_BYTES = 64;
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
/** An identifier under the arc for examples (RFC 5612). */
const REQUEST_NAMESPACE = 'urn:oid:1.3.6.1.4.1.32473.1.2';

// The one form that is written and read. The text between the gaps is fixed, and every gap holds percent-encoded text or base64: no
// DOCTYPE, no entity, no element elsewhere can be hidden in it. What is read is written again and compared.
const HEAD =
  '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n' +
  '<asic:ASiCManifest xmlns:asic="http://uri.etsi.org/02918/v1.2.1#" xmlns:ds="http://www.w3.org/2000/09/xmldsig#">' +
  `<asic:SigReference MimeType="application/pkcs7-signature" URI="${SIGNATURE_ENTRY}"/>`;
const DOCUMENT =
  /<asic:DataObjectReference MimeType="application\/octet-stream" URI="([^"<]*)"><ds:DigestMethod Algorithm="[^"<]*"\/><ds:DigestValue>([^<]*)</g;
const REQUEST = /<cs:Request xmlns:cs="[^"<]*" RelyingParty="([^"<]*)"(?: Title="([^"<]*)")?\/>/;

/**
 * The bytes of the ASiCManifest (EN 319 162-1 §A.4). The signature covers exactly these: they are kept, never
 * written anew. Throws a RangeError for names, hashes or texts that were not checked before.
 */
export const writeManifest = ({ documents, request }: AsicManifest): Uint8Array => {
  if (documents.length === 0 || documents.length > MAX_DOCUMENTS) throw new RangeError(`a signature is over 1 to ${MAX_DOCUMENTS} documents`);
  if (!documents.every(({ name }) => isSignedDataName(name))) throw new RangeError('signed_data_name cannot name a file of a container');
  if (collidingName(documents.map(({ name }) => name)) !== undefined) throw new RangeError('two documents have one name');
  if (!documents.every(({ hash }) => hash.length === HASH_BYTES)) throw new RangeError('signed_data_hash is not a SHA-512');
  return new TextEncoder().encode(`${HEAD}${documents.map(documentElement).join('')}${requestElement(request)}</asic:ASiCManifest>`);
};

/** Reads a manifest of the form that {@link writeManifest} gives; undefined for any other. */
export const readManifest = (bytes: Uint8Array): AsicManifest | undefined => {
  if (bytes.length > MAX_MANIFEST_BYTES) return undefined;
  try {
    const text = utf8.decode(bytes);
    const documents = [...text.matchAll(DOCUMENT)].map(([, uri = '', digest = '']) => ({ name: decodeURIComponent(uri), hash: fromBase64(digest) }));
    const [, relyingParty, title] = REQUEST.exec(text) ?? [];
    const request = relyingParty !== undefined && {
      request: { relyingParty: decodeURIComponent(relyingParty), ...(title !== undefined && { title: decodeURIComponent(title) }) },
    };
    const manifest: AsicManifest = { documents, ...request };
    return utf8.decode(writeManifest(manifest)) === text ? manifest : undefined;
  } catch {
    return undefined;
  }
};

/** Whether the manifest names exactly these documents, in this order. `hash`: lower-case hex. */
export const namesDocuments = (bytes: Uint8Array, documents: readonly { readonly name: string; readonly hash: string }[]): boolean => {
  const named = readManifest(bytes)?.documents ?? [];
  return named.length === documents.length && named.every(({ name, hash }, at) => name === documents[at]?.name && hexOf(hash) === documents[at].hash);
};

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const documentElement = ({ name, hash }: SignedDocument): string =>
  `<asic:DataObjectReference MimeType="application/octet-stream" URI="${uriOf(name)}">` +
  '<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha512"/>' +
  `<ds:DigestValue>${btoa(String.fromCharCode(...hash))}</ds:DigestValue></asic:DataObjectReference>`;

/** A validator that does not know the extension ignores it, and its text is signed all the same. */
const requestElement = (request: SignedRequest | undefined): string => {
  if (!request) return '';
  const title = request.title === undefined ? '' : ` Title="${uriOf(request.title)}"`;
  return (
    '<asic:ASiCManifestExtensions><asic:Extension Critical="false">' +
    `<cs:Request xmlns:cs="${REQUEST_NAMESPACE}" RelyingParty="${uriOf(request.relyingParty)}"${title}/>` +
    '</asic:Extension></asic:ASiCManifestExtensions>'
  );
};

/** One path segment of a URI (RFC 3986 §3.3): all but unreserved characters encoded, so XML has nothing to escape. */
export const uriOf = (name: string): string =>
  encodeURIComponent(name).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
