import { linkScanOf, takesNumber, type Session } from './session.js';
import type { CompleteSession, FinishByNumber } from './session.commands.js';
import { ReturnTokenRequired, SessionAlreadyCompleted, SessionNotConfirmed, SessionNotFound } from './session.errors.js';
import type { SessionEvent } from './session.events.js';

/** Single-use. A confirmed session does not expire, so a late first completion still succeeds (specification/sessions.md#completion). */
export const complete = ({ now, returned }: CompleteSession, session: Session): SessionEvent[] => {
  const { signed } = completable(session);
  if (returned !== undefined && isNumberRefused(session)) throw new ReturnTokenRequired('a wrong number was typed');
  if (returned === false && linkScanOf(session)) throw new ReturnTokenRequired('opened by a link');
  return [{ type: signed ? 'RedirectIssued' : 'SessionCompleted', data: { at: now } }];
};

/** Single-use, whether the number is right or wrong (specification/login-ui.md#finishing-by-a-number). */
export const finishByNumber = ({ now, right }: FinishByNumber, session: Session): SessionEvent[] => {
  completable(session);
  if (isNumberRefused(session)) throw new ReturnTokenRequired('a wrong number was typed before');
  if (!takesNumber(session, now)) throw new ReturnTokenRequired('not to be finished by a number, or not any more');
  return [right ? { type: 'SessionCompleted', data: { finishedBy: 'number', at: now } } : { type: 'NumberRefused', data: { at: now } }];
};

/** Throws SessionNotFound, SessionAlreadyCompleted, SessionNotConfirmed. `signed`: the container of a signature is finished, and the redirect is not handed out. */
const completable = (session: Session): { readonly signed: boolean } => {
  if (session.status === 'NONE') throw new SessionNotFound('unknown session');
  const signed = 'result' in session && !session.result.redirectIssued;
  if (session.status === 'COMPLETED' && !signed) throw new SessionAlreadyCompleted('completed before');
  if (session.status !== 'CONFIRMED' && !signed) throw new SessionNotConfirmed(`session is ${session.status}`);
  return { signed };
};

const isNumberRefused = (session: Session): boolean => 'grant' in session && session.grant.numberRefused === true;
