import type { Level } from '../container-layout.js';

/** The rules that a container can break. Stable: programs may branch on them. */
export type Rule =
  | 'archive'
  | 'mimetype'
  | 'entries'
  | 'file-missing'
  | 'file-changed'
  | 'manifest'
  | 'signature-format'
  | 'signature-order'
  | 'signer-certificate'
  | 'signer-key-usage'
  | 'signature-value'
  | 'signing-certificate'
  | 'signing-time'
  | 'trust'
  | 'level'
  | 'time-stamp'
  | 'time-order'
  | 'revoked'
  | 'revocation'
  | 'lifetime';

/** One rule broken, in plain words. */
export interface Finding {
  readonly rule: Rule;
  readonly message: string;
}

/** The signer as the certificate names them. Only the certificate is binding, and not the fields that a service adds to it. */
export interface SignerIdentity {
  readonly name: string;
  readonly givenName: string | undefined;
  readonly familyName: string | undefined;
  /** As in the certificate: `PNOEE-47101010033`. */
  readonly serialNumber: string | undefined;
  readonly country: string | undefined;
  /** Common name of the CA that says so. */
  readonly issuer: string | undefined;
  /** SHA-256 of the certificate, hex. */
  readonly fingerprint: string;
}

/** The results of a verification. A result that could not be found is absent. */
export interface ContainerReport {
  /**
   * `VALID`: signature, trust, times and the file itself hold. `VALID_WITHOUT_FILE`: all but the file, which is not
   * in the container (yet). `INVALID`: at least one finding.
   */
  readonly verdict: 'VALID' | 'VALID_WITHOUT_FILE' | 'INVALID';
  readonly findings: readonly Finding[];
  readonly signedDataName?: string | undefined;
  /** Hex. */
  readonly signedDataHash?: string | undefined;
  readonly signer?: SignerIdentity | undefined;
  readonly level?: Level | undefined;
  /** The time of the signer's device. Epoch milliseconds, like all times here. */
  readonly signingTime?: number | undefined;
  /** The time that the time-stamp proves. */
  readonly timeStampedAt?: number | undefined;
  readonly timeStampAuthority?: string | undefined;
  /** When the CA said that the signer's certificate was good. */
  readonly revocationCheckedAt?: number | undefined;
  /** Common name and fingerprint of the root that the signer's chain ends in. */
  readonly root?: { readonly name: string | undefined; readonly fingerprint: string } | undefined;
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
}
