import type { JsonWebKey } from 'node:crypto';

import type { FindEnrolment } from '#domain/identity';
import type { DeviceId, IdentityId, Sealer, SessionId } from '#kernel';

import type { CheckApproval } from '../approval/check-approval.js';
import type { AuthenticationStatement, SealedScan } from '../domain/sealed-terms.js';
import { sessionStream } from '../streams.js';
import type { Sessions } from '../repositories/sessions.js';

/** What a phone has signed, with all that proves it. */
export interface SignedApproval {
  readonly deviceId: DeviceId;
  readonly identityId: IdentityId;
  /** Base64 of the bytes. */
  readonly toBeSigned: string;
  /** Base64, IEEE P1363, by ES256. */
  readonly signature: string;
  /** Of the phone, P-256. */
  readonly publicKey: JsonWebKey;
  /** Of the change, as it was signed. */
  readonly changeDigest: string | undefined;
}

/** `WAITING`: the person has not decided. `OVER`: declined, expired, withdrawn, or not signed by the phone. */
export type FoundApproval = { readonly state: 'WAITING' | 'OVER' } | ({ readonly state: 'SIGNED' } & SignedApproval);

/** Reads what became of an approval that was asked for ({@link AskApproval}). The signature is verified each time. */
export class FindAskedApproval {
  constructor(
    private readonly sessions: Pick<Sessions, 'find'>,
    private readonly checkApproval: CheckApproval,
    private readonly findEnrolment: FindEnrolment,
    private readonly sealer: Sealer,
  ) {}

  async execute(sessionId: SessionId): Promise<FoundApproval> {
    const session = await this.sessions.find(sessionId);
    if (session?.status === 'PENDING' || session?.status === 'SCANNED') return { state: 'WAITING' };
    if (session?.status !== 'CONFIRMED' || (await this.checkApproval.refusalOfLogin(sessionId, session)) !== undefined) return { state: 'OVER' };
    const { scan, grant } = session;
    const device = await this.findEnrolment.execute(scan.deviceId);
    const { toBeSigned } = this.sealer.open<SealedScan>(scan.sealed, sessionStream(sessionId));
    if (!device || toBeSigned === undefined || grant.signature === undefined) return { state: 'OVER' };
    const { changeDigest } = JSON.parse(Buffer.from(toBeSigned, 'base64').toString()) as Partial<AuthenticationStatement>;
    const { deviceId, identityId } = scan;
    return {
      state: 'SIGNED',
      deviceId,
      identityId,
      toBeSigned,
      signature: grant.signature,
      publicKey: { ...device.authenticationKey },
      changeDigest,
    };
  }
}
