import type { Level } from '../container-layout.js';
import type { SignedRequest } from '../manifest.js';

/** The rules that a container can break. Stable: programs may branch on them. */
export type Rule =
  | 'archive'
  | 'form'
  | 'mimetype'
  | 'entries'
  | 'file-changed'
  | 'manifest'
  | 'manifest-changed'
  | 'signature-format'
  | 'signature-order'
  | 'signer-certificate'
  | 'signer-key-usage'
  | 'signature-value'
  | 'algorithm'
  | 'signing-certificate'
  | 'signing-time'
  | 'trust'
  | 'expired'
  | 'level'
  | 'time-stamp'
  | 'time-order'
  | 'revoked'
  | 'revoked-later'
  | 'revoked-authority'
  | 'revocation'
  | 'lifetime'
  | 'archive-manifest'
  | 'archive-changed'
  | 'archive-time-stamp';

/** One rule broken, in plain words. */
export interface Finding {
  readonly rule: Rule;
  readonly message: string;
  /** The container has a form that is not known here: this says nothing against it, and another validator may pass it. */
  readonly unjudged?: true;
}

/**
 * The signer as the certificate names them: a person, or a legal person (EN 319 412-3). Only the certificate is binding, and not the fields that a
 * service adds to it.
 */
export interface SignerIdentity {
  /** Given and family name, or else the common name, or else that of the organization. */
  readonly name: string;
  readonly givenName: string | undefined;
  readonly familyName: string | undefined;
  /** As in the certificate: `PNOEE-47101010033`. */
  readonly serialNumber: string | undefined;
  readonly country: string | undefined;
  /** The legal person that signed, or with which the certificate associates the signer. */
  readonly organization: string | undefined;
  /** Its registration as in the certificate: `NTREE-10060701` (EN 319 412-1 §5.1.4). */
  readonly organizationIdentifier: string | undefined;
  /** Common name of the CA that issued the certificate. */
  readonly issuer: string | undefined;
  /** SHA-256 of the certificate, hex. */
  readonly fingerprint: string;
}

/** The verdict of a validation (ETSI EN 319 102-1 §5.1.3). */
export type Indication = 'TOTAL_PASSED' | 'INDETERMINATE' | 'TOTAL_FAILED';

/** The reason of a verdict other than `TOTAL_PASSED` (ETSI EN 319 102-1 §5.1.3, tables 5 and 6). */
export type SubIndication =
  | 'FORMAT_FAILURE'
  | 'HASH_FAILURE'
  | 'SIG_CRYPTO_FAILURE'
  | 'REVOKED'
  | 'SIG_CONSTRAINTS_FAILURE'
  | 'CHAIN_CONSTRAINTS_FAILURE'
  | 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE'
  | 'NO_SIGNING_CERTIFICATE_FOUND'
  | 'NO_CERTIFICATE_CHAIN_FOUND'
  | 'OUT_OF_BOUNDS_NO_POE'
  | 'REVOKED_NO_POE'
  | 'REVOKED_CA_NO_POE'
  | 'REVOCATION_OUT_OF_BOUNDS_NO_POE'
  | 'TIMESTAMP_ORDER_FAILURE'
  | 'TRY_LATER'
  | 'NO_POE'
  | 'SIGNED_DATA_NOT_FOUND';

/** A verdict with its reason. */
export interface Verdict {
  readonly verdict: Indication;
  readonly subIndication?: SubIndication;
}

/**
 * The results of a verification, with the verdict in the words of ETSI EN 319 102-1. A result that could not be found is absent.
 * `TOTAL_PASSED`: signature, trust, times and the file itself hold. `INDETERMINATE` with `SIGNED_DATA_NOT_FOUND` and no finding: all but the file,
 * which is not in the container (yet). All other verdicts come with at least one finding. A finding that is `unjudged` makes `INDETERMINATE`, with
 * `SIG_CONSTRAINTS_FAILURE`, of what nothing else proves wrong.
 */
export interface ContainerReport extends Verdict {
  readonly findings: readonly Finding[];
  readonly documents?: readonly ReportedDocument[] | undefined;
  /** Name and hash (hex) of the document of a signature over one. */
  readonly signedDataName?: string | undefined;
  readonly signedDataHash?: string | undefined;
  /** The request that the phone has shown: signed with the documents, where the manifest names one. */
  readonly request?: SignedRequest | undefined;
  readonly signer?: SignerIdentity | undefined;
  readonly level?: Level | undefined;
  /** The time of the signer's device. Epoch milliseconds, like all times here. */
  readonly signingTime?: number | undefined;
  /** The time that the time-stamp proves. */
  readonly timeStampedAt?: number | undefined;
  readonly timeStampAuthority?: string | undefined;
  /** When the CA said that the signer's certificate was good. */
  readonly revocationCheckedAt?: number | undefined;
  /** Each signature of a container with several; the fields beside are those of the first one that can be read. */
  readonly signatures?: readonly ReportedSignature[] | undefined;
  /** The archive time-stamps of level LTA, oldest first. Absent below that level. */
  readonly archiveTimeStamps?: readonly ReportedArchiveTimeStamp[] | undefined;
  /** Common name and fingerprint of the root that the signer's chain ends in. */
  readonly root?: { readonly name: string | undefined; readonly fingerprint: string } | undefined;
}

/** One signature of several, with the documents that it is over. */
export interface ReportedSignature extends Verdict {
  /** The entry in the container. */
  readonly entry: string;
  readonly signer?: SignerIdentity | undefined;
  readonly signingTime?: number | undefined;
  readonly documents?: readonly ReportedDocument[] | undefined;
}

/** An archive time-stamp that holds. Epoch milliseconds. */
export interface ReportedArchiveTimeStamp {
  readonly at: number;
  readonly authority: string | undefined;
  /** When its proof ends, with its unit's certificate or its algorithm, unless another archive time-stamp is added before. */
  readonly endsAt: number;
}

/** A document that the signature is over. */
export interface ReportedDocument {
  readonly name: string;
  /** SHA-512, or what `algorithm` says. Hex. */
  readonly hash: string;
  /** Absent: SHA-512. */
  readonly algorithm?: 'SHA-256' | 'SHA-384';
  /** Whether a file of that name lies in the container. A file of another hash is a finding. */
  readonly present: boolean;
}

/** Collects the broken rules, so that one does not hide the next. */
export class Findings {
  private readonly all: Finding[] = [];

  get list(): readonly Finding[] {
    return this.all;
  }

  /** Notes the finding unless the rule holds; answers whether it holds. */
  require(holds: boolean, rule: Rule, message: string): boolean {
    if (!holds) this.add(rule, message);
    return holds;
  }

  add(rule: Rule, message: string): void {
    this.all.push({ rule, message });
  }

  /** Notes a form that is not known here. */
  cannotJudge(rule: Rule, message: string): void {
    this.all.push({ rule, message, unjudged: true });
  }

  /** Notes findings of a part. */
  addAll(findings: readonly Finding[]): void {
    this.all.push(...findings);
  }
}
