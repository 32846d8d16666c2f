/** ETSI EN 319 162-1: the entries of an ASiC-E container with one CAdES signature, in their order. */
export const MEDIA_TYPE = 'application/vnd.etsi.asic-e+zip';
export const MIMETYPE_ENTRY = 'mimetype';
export const MANIFEST_ENTRY = 'META-INF/ASiCManifest001.xml';
export const SIGNATURE_ENTRY = 'META-INF/signature001.p7s';
/** The manifest of the newest archive time-stamp. */
export const ARCHIVE_MANIFEST_ENTRY = 'META-INF/ASiCArchiveManifest.xml';

/** The token of an archive time-stamp, counted from 1. */
export const archiveTokenEntry = (number: number): string => `META-INF/timestamp${threeDigits(number)}.tst`;
/** The manifest of an archive time-stamp that has a newer one after it, counted from 1 (EN 319 162-1 §A.7). */
export const pastArchiveManifestEntry = (number: number): string => `META-INF/ASiCArchiveManifest${threeDigits(number)}.xml`;

/** With one archive time-stamp every three years, they last for three centuries. */
export const MAX_ARCHIVE_TIME_STAMPS = 100;
const ARCHIVE_ENTRY = /^META-INF\/(ASiCArchiveManifest(\d{3})?\.xml|timestamp\d{3}\.tst)$/;

/** Whether an entry of that name belongs to an archive time-stamp. */
export const isArchiveEntry = (name: string): boolean => ARCHIVE_ENTRY.test(name);

const threeDigits = (number: number): string => String(number).padStart(3, '0');

/** Baseline levels that are built: B signature alone, T with its time-stamp, LT with all revocation data, LTA with an archive time-stamp over all. */
export type Level = 'B' | 'T' | 'LT' | 'LTA';
export const LEVELS: readonly Level[] = ['B', 'T', 'LT', 'LTA'];
