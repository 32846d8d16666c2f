import type { ArchiveTimeStamp } from '../archive/archive-manifest.js';
import type { AsicManifest } from '../manifest.js';
import type { ReportedDocument } from './report.js';

/** A signature of a container, and what it is over. */
export interface ContainerParts {
  /** The name of the signature's entry. */
  readonly entry: string;
  /** The bytes that the signature is over. */
  readonly manifestBytes: Buffer;
  /** Absent of a container of another form than this service writes. */
  readonly manifest: AsicManifest | undefined;
  readonly signatureBytes: Buffer;
  /** The documents that the manifest names. */
  readonly documents: readonly ReportedDocument[] | undefined;
  /** Oldest first. */
  readonly archive: readonly ArchiveTimeStamp[];
}
