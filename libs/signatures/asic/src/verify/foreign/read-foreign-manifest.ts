import { type HashName } from '#signatures/pki';

import { readXml, UnreadableXml, type XmlElement } from './read-xml.js';

/** A file that a manifest names. */
export interface DataObject {
  /** Its name in the container. */
  readonly name: string;
  /** Undefined for an algorithm that is not known here. */
  readonly hash: HashName | undefined;
  readonly digest: Buffer;
}

/** An ASiCManifest in any form that means the same (EN 319 162-1 §A.4). */
export interface ForeignManifest {
  /** The entry of the signature or time-stamp. */
  readonly signature: string;
  readonly objects: readonly DataObject[];
}

const MAX_OBJECTS = 1000;
const ASIC = 'http://uri.etsi.org/02918/v1.2.1#';
const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const HASHES: Readonly<Record<string, HashName>> = {
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384': 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
};

/** The manifest is of a form that is not known here. The message says which part. */
export class UnknownManifest extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnknownManifest';
  }
}

/** Throws {@link UnknownManifest}. */
export const readForeignManifest = (bytes: Uint8Array): ForeignManifest => {
  const root = parse(bytes);
  if (!is(root, ASIC, 'ASiCManifest')) throw new UnknownManifest('its root is no ASiCManifest');
  const references = root.children.filter((child) => is(child, ASIC, 'SigReference'));
  const objects = root.children.filter((child) => is(child, ASIC, 'DataObjectReference'));
  if (references.length !== 1 || objects.length === 0 || objects.length > MAX_OBJECTS)
    throw new UnknownManifest(`it names ${references.length} signatures and ${objects.length} files`);
  if (hasCriticalExtension(root)) throw new UnknownManifest('it holds a critical extension');
  const read = objects.map(readObject);
  if (new Set(read.map(({ name }) => name)).size < read.length) throw new UnknownManifest('it names a file twice');
  return { signature: nameIn(references[0]), objects: read };
};

const parse = (bytes: Uint8Array): XmlElement => {
  try {
    return readXml(bytes);
  } catch (error) {
    if (error instanceof UnreadableXml) throw new UnknownManifest(`it cannot be read: ${error.message}`);
    throw error;
  }
};

const is = ({ namespace, name }: XmlElement, wanted: string, local: string): boolean => namespace === wanted && name === local;

const readObject = (object: XmlElement): DataObject => {
  const method = object.children.find((child) => is(child, DSIG, 'DigestMethod'))?.attributes.get('Algorithm') ?? '';
  const value = object.children.find((child) => is(child, DSIG, 'DigestValue'))?.text.replaceAll(/\s/g, '') ?? '';
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(value)) throw new UnknownManifest('a digest is not in base64');
  return { name: nameIn(object), hash: HASHES[method], digest: Buffer.from(value, 'base64') };
};

/** EN 319 162-1 §A.4: the URI is relative to the root of the container. */
const nameIn = (element: XmlElement | undefined): string => {
  const uri = element?.attributes.get('URI') ?? '';
  try {
    return decodeURIComponent(uri.replace(/^\.\//, ''));
  } catch {
    return uri;
  }
};

const hasCriticalExtension = (element: XmlElement): boolean =>
  (element.name === 'Extension' && /^(true|1)$/.test(element.attributes.get('Critical') ?? '')) || element.children.some(hasCriticalExtension);
