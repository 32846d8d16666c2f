import type { FindEnrolment } from '#domain/identity';
import { type Sealer, ServiceUnavailable, type SessionId } from '#kernel';

import type { EvidenceSigner } from '../domain/login-evidence.js';
import type { SealedScan } from '../domain/sealed-terms.js';
import type { Grant } from '../domain/session.js';
import { sessionStream } from '../streams.js';
import type { StoredApproval } from './check-approval.js';

/** Makes the evidence of the logins that ask for it. */
export class EvidenceOfLogins {
  constructor(
    private readonly findEnrolment: Pick<FindEnrolment, 'execute'>,
    private readonly sealer: Sealer,
    private readonly signer: EvidenceSigner,
  ) {}

  /** Whether the service can make any. */
  get isOffered(): boolean {
    return this.signer.current() !== undefined;
  }

  /**
   * Everything that may fail, before the code of a login whose approval is checked is redeemed. The answer makes the evidence; undefined for a login that asks for none. Throws
   * ServiceUnavailable where the service has no key for it.
   */
  async prepare(
    sessionId: SessionId,
    { terms, scan, grant }: StoredApproval & { readonly grant: Grant },
    subjectId: string,
  ): Promise<(() => Promise<string>) | undefined> {
    if (!terms.evidence) return undefined;
    const sign = this.signer.current();
    if (!sign) throw new ServiceUnavailable('KEY_DIR has no openid.json, whose keys sign evidence');
    const device = await this.findEnrolment.execute(scan.deviceId);
    const { toBeSigned } = this.sealer.open<SealedScan>(scan.sealed, sessionStream(sessionId));
    if (!device || toBeSigned === undefined || grant.signature === undefined)
      throw new Error('a checked approval has a device, a statement and a signature');
    const { authenticationKey: publicKey, enrolledAt } = device;
    const { signature, confirmedAt, finishedBy } = grant;
    const evidence = {
      clientId: terms.clientId,
      subjectId,
      toBeSigned,
      signature,
      publicKey,
      enrolledAt,
      confirmedAt,
      ...(finishedBy && { finishedBy }),
    };
    return () => sign(evidence);
  }
}
