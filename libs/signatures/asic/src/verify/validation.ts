import type { Certificate, VerifiedTimeStamp } from '#signatures/pki';

import type { ContainerParts } from './container-parts.js';
import type { ArchiveProof } from './check-archive-time-stamps.js';
import type { ReadSignature } from './check-signature.js';
import type { ContainerReport } from './report.js';
import type { SignerStatement } from './signer-statement.js';

/** The objects that a verdict rests on. Only the chain, the time-stamp and the statement are verified; each is absent when it is not valid. */
export interface ValidationMaterial {
  readonly parts: ContainerParts;
  readonly signature: ReadSignature;
  /** The signer's chain, root last. */
  readonly chain?: readonly Certificate[] | undefined;
  readonly timeStamp?: VerifiedTimeStamp | undefined;
  /** What the CA says about the signer's certificate. */
  readonly statement?: SignerStatement | undefined;
  /** The archive time-stamps, oldest first; empty unless all of them are valid. */
  readonly archive: readonly ArchiveProof[];
}

/** A verdict with its material. */
export interface Validation {
  readonly report: ContainerReport;
  /** The time of the validation, epoch milliseconds. */
  readonly at: number;
  /** Absent when the container holds no signature that can be read. */
  readonly material?: ValidationMaterial | undefined;
}
