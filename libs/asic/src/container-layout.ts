/** ETSI EN 319 162-1: the entries of an ASiC-E container with one CAdES signature, in their order. */
export const MEDIA_TYPE = 'application/vnd.etsi.asic-e+zip';
export const MIMETYPE_ENTRY = 'mimetype';
export const MANIFEST_ENTRY = 'META-INF/ASiCManifest001.xml';
export const SIGNATURE_ENTRY = 'META-INF/signature001.p7s';

/** CAdES baseline levels that are built: B signature alone, T with its time-stamp, LT with all revocation data. */
export type Level = 'B' | 'T' | 'LT';
export const LEVELS: readonly Level[] = ['B', 'T', 'LT'];
