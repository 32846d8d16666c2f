import { deadlineOf, endOf, type StartedSession } from './session.js';

/** The timed work on a session: to end it, to erase the result of its signature, to delete it. */
export type TimerKind = 'deadline' | 'result' | 'deletion';

/** The next timed work on a session. */
export interface SessionTimer {
  readonly kind: TimerKind;
  /** Epoch milliseconds. `deadline`: of the session. `result`: the result's end. `deletion`: the session's end. Work is due a {@link TimerWaits} later. */
  readonly at: number;
}

/** How long after its time the work of each kind is due, in milliseconds. */
export type TimerWaits = Readonly<Record<TimerKind, number>>;

/** Milliseconds after the end of a result, for a build that is still under way. */
const RESULT_GRACE = 60_000;

/** `retention`: how long a session is stored after its end, in milliseconds. */
export const timerWaits = (retention: number): TimerWaits => ({ deadline: 0, result: RESULT_GRACE, deletion: retention });

/** The next timed work in this state. */
export const timerOf = (session: StartedSession): SessionTimer => {
  if (session.status === 'PENDING' || session.status === 'SCANNED') return { kind: 'deadline', at: deadlineOf(session) };
  if (session.terms.signatureType !== 'SIGNING') return { kind: 'deletion', at: endOf(session) };
  return { kind: 'result', at: 'result' in session ? session.result.expiresAt : endOf(session) };
};
