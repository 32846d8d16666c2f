import type { DeviceId, IdentityId } from '#kernel';

import { isFresh, type ReadFrame } from './qr-frames.js';
import { endToldTo, type Session, type StartedSession } from './session.js';
import { InvalidQr, SessionAlreadyScanned, SessionEnded } from './session.errors.js';

/** A device that reads the code of a session. `admitted`: the device has shown a frame of a changing code before. */
interface Reader {
  readonly deviceId: DeviceId;
  readonly identityId: IdentityId;
  readonly frame?: ReadFrame | undefined;
  readonly admitted?: boolean | undefined;
}

/**
 * Whether the device may scan the session, or has scanned it (specification/app.md#post-scan). `now` in epoch milliseconds. Throws SessionEnded, InvalidQr,
 * SessionAlreadyScanned.
 */
export const assertScannable = (session: StartedSession, { deviceId, identityId, frame, admitted }: Reader, now: number): void => {
  switch (session.status) {
    case 'EXPIRED':
    case 'CANCELLED':
      throw new SessionEnded(`session is ${session.status}`, endToldTo(identityId, session));
    case 'PENDING':
      if (!admitted) assertFrame(frame, session, now);
      return;
    default:
      if (session.scan.deviceId !== deviceId) throw new SessionAlreadyScanned('scanned by another device');
  }
};

/** For the developer of a page that shows the payload of the interface: the phone's person can do nothing about it. */
const NO_FRAME =
  'The scanned code has no frame: the codes of this client change each second and carry t and a. See docs/relying-party/frames.md, "Codes that change each second (frames)".';

/**
 * A session whose code changes each second accepts only a fresh frame of the code (specification/login-ui.md#dynamic-qr). A pushed session reaches
 * the devices of one person without a code: its frame is checked only if there is one. `now` in epoch milliseconds. Throws InvalidQr.
 */
const assertFrame = (frame: ReadFrame | undefined, { terms, createdAt }: Extract<Session, { status: 'PENDING' }>, now: number): void => {
  if (!terms.dynamicQr || (!frame && terms.pushStatus === 'DISPATCHED')) return;
  if (!frame) throw new InvalidQr('no frame', NO_FRAME);
  if (!frame.genuine) throw new InvalidQr('forged frame');
  if (!isFresh(frame, createdAt, now)) throw new InvalidQr('frame of another time');
};
