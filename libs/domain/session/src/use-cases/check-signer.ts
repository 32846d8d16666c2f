import { setTimeout as sleep } from 'node:timers/promises';

import { InvalidRequest } from '#kernel';
import { Certificate, type RevocationEvidence, type RevocationSource } from '#signatures/pki';

/** Waits as long as a scan may wait for the certificate authority; the signal ends the wait early. Tests replace it so that they need not wait. */
export type WaitLimit = (signal: AbortSignal) => Promise<unknown>;

const ANSWER_LIMIT = 2000;
const waitForLimit: WaitLimit = (signal) => sleep(ANSWER_LIMIT, undefined, { signal });

/** The certificate of a phone's signing key, with its chain. */
export interface CertifiedSigner {
  /** DER. */
  readonly certificate: Buffer;
  /** DER, the issuing CA first. */
  readonly chain: readonly Buffer[];
}

const enrolAgain = (fault: string, reason: string): InvalidRequest =>
  new InvalidRequest(`This phone's signing certificate ${fault}. Enrol the phone again.`, reason, { remedy: 'ENROL_AGAIN' });

/** A signature with an ended or revoked certificate cannot be completed, so the person learns this at the scan and not after the PIN. */
export class CheckSigner {
  constructor(
    /** Absent: revocation is not asked about. */
    private readonly revocationSource: Pick<RevocationSource, 'ask'> | undefined,
    private readonly waitLimit: WaitLimit = waitForLimit,
  ) {}

  /**
   * `from`, `until`: the period in which the signature will be made, epoch milliseconds. Throws InvalidRequest with the remedy. When the authority does
   * not answer in time, the scan goes on: the authority is asked again when the container is built.
   */
  async execute({ certificate, chain }: CertifiedSigner, { from, until }: { readonly from: number; readonly until: number }): Promise<void> {
    const signer = Certificate.parse(certificate);
    const { notBefore, notAfter } = signer;
    if (from < notBefore)
      throw new InvalidRequest("This phone's signing certificate is not valid yet. Try again later.", 'certificate not valid yet');
    if (notAfter < from) throw enrolAgain('has ended', 'certificate ended');
    if (notAfter < until) throw enrolAgain('ends before this signature could be made', 'certificate ends in the session');
    const [issuer] = chain;
    const answer = issuer && (await this.#ask(signer, Certificate.parse(issuer)));
    if (answer?.status === 'revoked') throw enrolAgain('has been revoked', 'certificate revoked');
  }

  async #ask(signer: Certificate, issuer: Certificate): Promise<RevocationEvidence | undefined> {
    if (!this.revocationSource) return undefined;
    const answered = new AbortController();
    const unanswered = (): undefined => undefined;
    const answer = this.revocationSource.ask(signer, issuer, { fromStock: true }).catch(unanswered);
    const late = this.waitLimit(answered.signal).then(unanswered, unanswered);
    return Promise.race([answer, late]).finally(() => answered.abort());
  }
}
