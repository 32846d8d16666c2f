/** Waits before each attempt, in milliseconds, counted from the end of the attempt before (specification/webhooks.md#schedules). */
export interface Schedule {
  readonly name: 'interactive' | 'standard';
  readonly waits: readonly number[];
  /** How a delivery ends after the last failure. */
  readonly end: 'lapsed' | 'exhausted';
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A person waits at a screen: the message is of use soon or not at all. */
const INTERACTIVE: Schedule = {
  name: 'interactive',
  waits: [0, SECOND, 3 * SECOND, 8 * SECOND, 20 * SECOND],
  end: 'lapsed',
};

/** The message has to arrive, even if the receiver is down for days. */
const STANDARD: Schedule = {
  name: 'standard',
  waits: [0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
  end: 'exhausted',
};

const INTERACTIVE_TYPES: ReadonlySet<string> = new Set(['session.scanned', 'session.confirmed', 'openid.ping']);

export const scheduleOf = (type: string): Schedule => (INTERACTIVE_TYPES.has(type) ? INTERACTIVE : STANDARD);

const JITTER = 0.2;

export interface FailedAttempt {
  /** Attempts made so far, this one included. */
  readonly attempts: number;
  /** The wait that the receiver asked for, in milliseconds. */
  readonly retryAfter?: number;
  /** Random, from 0 to 1. */
  readonly random: number;
}

/** The longest wait that a receiver may ask for, in milliseconds. */
const LONGEST_ASKED = 2 * HOUR;

/**
 * Milliseconds until the next attempt, or undefined when there is none: the step of the schedule spread by ±20 %, or the wait that the
 * receiver asked for, up to two hours, if it is longer than the step.
 */
export const nextWait = ({ waits }: Schedule, { attempts, retryAfter, random }: FailedAttempt): number | undefined => {
  const step = waits[attempts];
  if (step === undefined) return undefined;
  if (retryAfter !== undefined) return Math.max(Math.min(retryAfter, LONGEST_ASKED), step);
  return Math.round(step * (1 - JITTER + 2 * JITTER * random));
};
