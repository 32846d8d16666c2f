import type { FoundEnrolment, FindEnrolment } from '#domain/identity';
import type { Sealer, SessionId } from '#kernel';

import type { AuthenticationStatement, SealedScan } from '../domain/sealed-terms.js';
import type { Grant, Scan } from '../domain/session.js';
import { InvalidSignature } from '../domain/session.errors.js';
import type { SessionTerms } from '../domain/session.events.js';
import { sessionStream } from '../streams.js';
import type { VerifySignature } from '../use-cases/verify-signature.js';

export interface StoredApproval {
  readonly terms: SessionTerms;
  readonly scan: Scan;
}

/** Told of each approval that its device has not signed. */
export type ApprovalAlarm = (sessionId: SessionId, reason: string) => void;

/**
 * Checks a stored approval once more when it takes effect: the person's device must have signed the shown request. An intruder who writes events
 * into the store cannot log in, even with the key of their MACs (docs/security/threat-model.md).
 */
export class CheckApproval {
  constructor(
    private readonly findEnrolment: FindEnrolment,
    private readonly verifySignature: VerifySignature,
    private readonly sealer: Sealer,
    private readonly alarm: ApprovalAlarm,
  ) {}

  /**
   * Why the approval of a login is refused; undefined when it is the device's own.
   *
   * @param beforeAlarm called before an alarm. It throws where the approval may not be the stored one any more
   */
  async refusalOfLogin(
    sessionId: SessionId,
    { terms, scan, grant }: StoredApproval & { readonly grant: Grant },
    beforeAlarm?: () => void,
  ): Promise<string | undefined> {
    const toBeSigned = this.#statement(sessionId, scan);
    const shown = toBeSigned !== undefined && isAbout(toBeSigned, sessionId, terms);
    if (!shown) return this.#refuse(sessionId, 'the statement is not about this session', beforeAlarm);
    const signature = grant.signature ?? '';
    return this.#refusal(sessionId, scan, (device) => this.verifySignature.execute({ terms, scan, toBeSigned, device, signature }), beforeAlarm);
  }

  /** The same of a document's signature, as it goes into the container: `toBeSigned` and `signature` are base64. */
  refusalOfSignature(sessionId: SessionId, scan: Scan, toBeSigned: string, signature: string): Promise<string | undefined> {
    return this.#refusal(sessionId, scan, (device) => this.verifySignature.checkStored({ scan, toBeSigned, device, signature }));
  }

  async #refusal(
    sessionId: SessionId,
    scan: Scan,
    verify: (device: FoundEnrolment) => Promise<unknown>,
    beforeAlarm?: () => void,
  ): Promise<string | undefined> {
    const device = await this.findEnrolment.execute(scan.deviceId);
    if (!device) return 'the device is unknown, or its person was erased';
    if (device.identityId !== scan.identityId) return this.#refuse(sessionId, "the device is another person's", beforeAlarm);
    try {
      await verify(device);
      return undefined;
    } catch (error) {
      if (!(error instanceof InvalidSignature)) throw error;
      return this.#refuse(sessionId, `the device's signature ${error.reason}`, beforeAlarm);
    }
  }

  #statement(sessionId: SessionId, scan: Scan): string | undefined {
    try {
      return this.sealer.open<SealedScan>(scan.sealed, sessionStream(sessionId)).toBeSigned;
    } catch {
      return undefined;
    }
  }

  #refuse(sessionId: SessionId, reason: string, beforeAlarm?: () => void): string {
    beforeAlarm?.();
    this.alarm(sessionId, reason);
    return reason;
  }
}

const isAbout = (toBeSigned: string, sessionId: SessionId, { clientId, requested }: SessionTerms): boolean => {
  const statement = JSON.parse(Buffer.from(toBeSigned, 'base64').toString()) as Partial<AuthenticationStatement>;
  const isSame = JSON.stringify(statement.requested) === JSON.stringify(requested);
  return statement.sessionId === sessionId && statement.clientId === clientId && isSame;
};
