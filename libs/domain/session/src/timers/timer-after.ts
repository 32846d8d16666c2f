import type { CloudEvent } from '#engines/message-bus';

import type { Lifetimes } from '../domain/lifetimes.js';
import { RECORD_RETENTION } from '../domain/session.js';
import type { SessionTimer } from '../domain/session-timer.js';
import type { SessionFacts } from '../integration-events.js';

/** The published events that change the next timed work on a session. */
export const TIMER_EVENTS = ['session.created', 'session.confirmed', 'session.completed', 'session.cancelled', 'session.expired'] as const;

/**
 * The next timed work on the session after this event, as far as the event and the present settings tell; undefined when the event changes nothing. It says when to look at
 * the stream, which decides: a deadline that was given under other settings is found there.
 */
export const timerAfter = ({ type, data }: Pick<CloudEvent<SessionFacts>, 'type' | 'data'>, lifetimes: Lifetimes): SessionTimer | undefined => {
  const { at, expiresAt } = data;
  const signs = data.signatureType === 'SIGNING';
  switch (type) {
    case 'session.created':
      return expiresAt === undefined ? undefined : { kind: 'deadline', at: expiresAt };
    case 'session.confirmed':
      return signs ? { kind: 'deadline', at: at + lifetimes.signingBuild } : { kind: 'deletion', at: at + RECORD_RETENTION };
    case 'session.completed':
      return signs ? { kind: 'result', at: at + lifetimes.result } : { kind: 'deletion', at };
    case 'session.cancelled':
    case 'session.expired':
      return { kind: signs ? 'result' : 'deletion', at };
    default:
      return undefined;
  }
};
