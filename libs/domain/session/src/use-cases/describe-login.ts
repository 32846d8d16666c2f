import { type Clock, epochSeconds, type Sealer, type SessionId } from '#kernel';
import type { FindClient, FindLogo } from '#domain/relying-party';

import { redirectUrl } from '../domain/redirect.js';
import type { SealedTerms, SessionDocument } from '../domain/sealed-terms.js';
import { deadlineOf, type SessionStatus, type StartedSession, takesNumber } from '../domain/session.js';
import type { CancelReason, PushStatus, SignatureType } from '../domain/session.events.js';
import { sessionStream } from '../streams.js';
import type { VerificationCodes } from '../domain/verification-codes.js';
import type { HostedQrCode } from '../domain/hosted-qr-code.js';

/** The reason of a cancelled login that its browser may know. It tells nothing of the phone or the person. */
export type PublicCancelReason = 'DECLINED' | 'WRONG_CODE' | 'WITHDRAWN' | 'SIGNING_FAILED';

/** The login as the browser that holds its cookie may see it: nothing identifies the user. */
export interface LoginDescription {
  readonly sessionId: SessionId;
  readonly status: SessionStatus;
  /** Epoch seconds; only while the session is open. */
  readonly expiresAt?: number;
  readonly signatureType: SignatureType;
  readonly pushStatus: PushStatus;
  readonly relyingPartyName: string;
  /** Host of the redirect URI, where the browser will be sent. */
  readonly relyingPartyDomain?: string;
  /**
   * Start page of that host.
   *
   * @format uri
   */
  readonly relyingPartyUrl?: string;
  /**
   * Of a login through OpenID Connect: where the browser is sent when it ends without success (RFC 6749 section 4.1.2.1).
   *
   * @format uri
   */
  readonly endUrl?: string;
  /** Path of the approved logo below {login_url}. */
  readonly relyingPartyLogo?: string;
  readonly signedDataName?: string;
  /** SHA-512, lower-case hex. */
  readonly signedDataHash?: string;
  /** Bytes, as the client said. */
  readonly signedDataSize?: number;
  /** In place of the three, where the client gave a list of documents. */
  readonly documents?: readonly SessionDocument[];
  /** Of a PENDING session of a client with dynamic QR codes: the present code. */
  readonly qrPayload?: string;
  /** Of a pushed login that is open: the two digits that the person chooses on the phone. */
  readonly verificationCode?: string;
  /** While six digits that the phone shows may finish the login, or may do so once it is confirmed (specification/login-ui.md#finishing-by-a-number). */
  readonly finishByNumber?: true;
  /** Only of a CANCELLED session. */
  readonly reason?: PublicCancelReason;
}

const PUBLIC_REASONS: Readonly<Record<CancelReason, PublicCancelReason>> = {
  DECLINED: 'DECLINED',
  LEFT: 'DECLINED',
  WRONG_CODE: 'WRONG_CODE',
  PIN_LOCKED: 'DECLINED',
  WITHDRAWN: 'WITHDRAWN',
  SIGNING_FAILED: 'SIGNING_FAILED',
  ERASED: 'DECLINED',
  DEVICE_REVOKED: 'DECLINED',
};

/** Describes a login to its hosted page (specification/login-ui.md#get-session). */
export class DescribeLogin {
  constructor(
    private readonly sealer: Sealer,
    private readonly findClient: FindClient,
    private readonly findLogo: FindLogo,
    private readonly qrCode: HostedQrCode,
    private readonly verificationCodes: VerificationCodes,
    private readonly clock: Clock,
    private readonly issuer: string,
  ) {}

  async execute(sessionId: SessionId, session: StartedSession): Promise<LoginDescription> {
    const { clientId, signatureType, pushStatus, sealed, redirectUri, dynamicQr, verificationCode, finishByNumber, issuer } = session.terms;
    const open = session.status === 'PENDING' || session.status === 'SCANNED';
    const [name, logo] = await Promise.all([this.findClient.nameOf(clientId), this.findLogo.shown(clientId)]);
    const { signedDataName, signedDataHash, signedDataSize, documents, state } = this.sealer.open<SealedTerms>(sealed, sessionStream(sessionId));
    return {
      sessionId,
      status: session.status,
      ...(open && { expiresAt: epochSeconds(deadlineOf(session)) }),
      signatureType,
      pushStatus,
      relyingPartyName: name ?? '',
      ...addressOf(redirectUri),
      ...(issuer && redirectUri !== undefined && { endUrl: redirectUrl(redirectUri, { error: 'access_denied', state, iss: this.issuer }) }),
      ...(logo && { relyingPartyLogo: `logos/${clientId}/${logo.hash}.png` }),
      ...(signedDataName !== undefined && { signedDataName }),
      ...(signedDataHash !== undefined && { signedDataHash }),
      ...(signedDataSize !== undefined && { signedDataSize }),
      ...(documents && { documents }),
      ...(session.status === 'PENDING' && dynamicQr && { qrPayload: this.qrCode.payloadOf(sessionId, session.createdAt) }),
      ...(open && verificationCode && { verificationCode: this.verificationCodes.shown(sessionId) }),
      ...(((open && finishByNumber) || takesNumber(session, this.clock.now())) && { finishByNumber: true }),
      ...(session.status === 'CANCELLED' && { reason: PUBLIC_REASONS[session.reason] }),
    };
  }
}

/** Registered addresses are https, or http on loopback. */
const addressOf = (redirectUri: string | undefined): Pick<LoginDescription, 'relyingPartyDomain' | 'relyingPartyUrl'> => {
  if (redirectUri === undefined) return {};
  const { host, origin } = new URL(redirectUri);
  return { relyingPartyDomain: host, relyingPartyUrl: `${origin}/` };
};
