import type { Clock, SessionId } from '#kernel';

import type { QrFrames } from './qr-frames.js';

/** The fragment of the address to which the app returns. The page recognises the return by it. */
const RETURN_MARK = '#r';

/** The code that the hosted page shows now, for sessions whose code changes each second. The page never learns how it is made. */
export class HostedQrCode {
  constructor(
    private readonly frames: QrFrames,
    private readonly clock: Clock,
    private readonly settings: { readonly loginUrl: string; readonly appScheme: string },
  ) {}

  /** @param createdAt of the session, epoch milliseconds */
  payloadOf(sessionId: SessionId, createdAt: number): string {
    const { loginUrl, appScheme } = this.settings;
    const returnUrl = encodeURIComponent(`${loginUrl.replace(/\/+$/, '')}/${RETURN_MARK}`);
    return `${appScheme}://app/scan?sessionId=${sessionId}&returnUrl=${returnUrl}&${this.frames.parametersAt(sessionId, createdAt, this.clock.now())}`;
  }
}
