import { SIGNATURE_ENTRY } from './container-layout.js';
import { isSignedDataName } from './signed-data-name.js';

/** The contents of an ASiCManifest: the name of the client's data, and its SHA-512. */
export interface AsicManifest {
  readonly signedDataName: string;
  /** 64 bytes. */
  readonly signedDataHash: Uint8Array;
}

const HASH_BYTES = 64;
export const MAX_MANIFEST_BYTES = 16 * 1024;

// The one form that is written and read. The text between the gaps is fixed, so there is nothing to parse: no
// DOCTYPE, no entity, no second reference, no element elsewhere can be hidden in it.
const BEFORE_URI =
  '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n' +
  '<asic:ASiCManifest xmlns:asic="http://uri.etsi.org/02918/v1.2.1#" xmlns:ds="http://www.w3.org/2000/09/xmldsig#">' +
  `<asic:SigReference MimeType="application/pkcs7-signature" URI="${SIGNATURE_ENTRY}"/>` +
  '<asic:DataObjectReference MimeType="application/octet-stream" URI="';
const BEFORE_DIGEST = '"><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha512"/><ds:DigestValue>';
const AFTER_DIGEST = '</ds:DigestValue></asic:DataObjectReference></asic:ASiCManifest>';

/**
 * The bytes of the ASiCManifest (EN 319 162-1 §A.4). The signature covers exactly these: they are kept, never
 * written anew. Throws a RangeError for a name or hash that was not checked before.
 */
export const writeManifest = ({ signedDataName, signedDataHash }: AsicManifest): Uint8Array => {
  if (!isSignedDataName(signedDataName)) throw new RangeError('signed_data_name cannot name a file of a container');
  if (signedDataHash.length !== HASH_BYTES) throw new RangeError('signed_data_hash is not a SHA-512');
  const digest = btoa(String.fromCharCode(...signedDataHash));
  return new TextEncoder().encode(BEFORE_URI + uriOf(signedDataName) + BEFORE_DIGEST + digest + AFTER_DIGEST);
};

/** Reads a manifest of the form that {@link writeManifest} gives; undefined for any other. */
export const readManifest = (bytes: Uint8Array): AsicManifest | undefined => {
  if (bytes.length > MAX_MANIFEST_BYTES) return undefined;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (!text.startsWith(BEFORE_URI) || !text.endsWith(AFTER_DIGEST)) return undefined;
  const [uri, digest, ...more] = text.slice(BEFORE_URI.length, -AFTER_DIGEST.length).split(BEFORE_DIGEST);
  const signedDataName = uri === undefined ? undefined : nameOf(uri);
  const signedDataHash = digest === undefined ? undefined : fromBase64(digest);
  if (signedDataName === undefined || signedDataHash?.length !== HASH_BYTES || more.length > 0) return undefined;
  return { signedDataName, signedDataHash };
};

/** One path segment of a URI (RFC 3986 §3.3): all but unreserved characters encoded, so XML has nothing to escape. */
export const uriOf = (name: string): string =>
  encodeURIComponent(name).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

const nameOf = (uri: string): string | undefined => {
  try {
    const name = decodeURIComponent(uri);
    return uriOf(name) === uri && isSignedDataName(name) ? name : undefined;
  } catch {
    return undefined;
  }
};

const fromBase64 = (text: string): Uint8Array | undefined => {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return btoa(String.fromCharCode(...bytes)) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
};
