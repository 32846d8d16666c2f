import { MIMETYPE_ENTRY } from '../../container-layout.js';

/** EN 319 162-1 §4.4 and A.4: which part of a container an entry is, by its name. */
const MANIFEST = /^META-INF\/[^/]*ASiCManifest[^/]*\.xml$/i;
const ARCHIVE_MANIFEST = /^META-INF\/[^/]*ASiCArchiveManifest[^/]*\.xml$/i;
const TIME_STAMP = /^META-INF\/[^/]*timestamp[^/]*\.tst$/i;
const CADES = /^META-INF\/[^/]*signature[^/]*\.p7s$/i;
const XADES = /^META-INF\/[^/]*signatures[^/]*\.xml$/i;
/** Files of ODF and OCF that may lie beside (EN 319 162-1 §A.1). */
const BESIDE = /^META-INF\/(?:manifest|container|metadata|rights)\.xml$/;

export const isManifest = (name: string): boolean => MANIFEST.test(name);
export const isArchivePart = (name: string): boolean => ARCHIVE_MANIFEST.test(name) || TIME_STAMP.test(name);
export const isSignature = (name: string): boolean => CADES.test(name);
export const isXades = (name: string): boolean => XADES.test(name);

/** Whether the entry is no document: a part of the container, or one that other formats put beside. */
export const isPart = (name: string): boolean => name === MIMETYPE_ENTRY || isManifest(name) || isSignature(name) || isBeside(name);

/** Whether the entry belongs to another format, which may lie beside the signature. */
export const isBeside = (name: string): boolean => BESIDE.test(name);
