import { isFresh, type ReadFrame } from './qr-frames.js';
import type { Session } from './session.js';
import { InvalidQr } from './session.errors.js';

/** For the developer of a page that shows the payload of the interface: the phone's person can do nothing about it. */
const NO_FRAME =
  'The scanned code has no frame: the codes of this client change each second and carry t and a. See docs/relying-party.md, "Codes that change each second (frames)".';

/**
 * A session whose code changes each second accepts only a fresh frame of the code (specification/login-ui.md#dynamic-qr). A pushed session reaches
 * the devices of one person without a code: its frame is checked only if there is one. `now` in epoch milliseconds. Throws InvalidQr.
 */
export const assertFrame = (frame: ReadFrame | undefined, { terms, createdAt }: Extract<Session, { status: 'PENDING' }>, now: number): void => {
  if (!terms.dynamicQr || (!frame && terms.pushStatus === 'DISPATCHED')) return;
  if (!frame) throw new InvalidQr('no frame', NO_FRAME);
  if (!frame.genuine) throw new InvalidQr('forged frame');
  if (!isFresh(frame, createdAt, now)) throw new InvalidQr('frame of another time');
};
