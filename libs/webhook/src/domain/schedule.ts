/** Waits before each attempt, in milliseconds, counted from the end of the attempt before (reliability.md 1 of the decision papers). */
export interface Schedule {
  readonly name: 'interactive' | 'standard';
  readonly waits: readonly number[];
  /** What becomes of a message that fails to the end. */
  readonly end: 'lapsed' | 'exhausted';
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** What somebody waits for at a screen: soon, or not at all. */
const INTERACTIVE: Schedule = {
  name: 'interactive',
  waits: [0, SECOND, 3 * SECOND, 8 * SECOND, 20 * SECOND],
  end: 'lapsed',
};

/** What has to arrive, however long the receiver is away. */
const STANDARD: Schedule = {
  name: 'standard',
  waits: [0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
  end: 'exhausted',
};

export const scheduleOf = (type: string): Schedule => (type === 'session.scanned' || type === 'session.confirmed' ? INTERACTIVE : STANDARD);

const JITTER = 0.2;

export interface Failure {
  /** How many attempts have been made, this one included. */
  readonly attempts: number;
  /** What the receiver asked for, in milliseconds. */
  readonly retryAfter?: number;
  /** Random, from 0 to 1. */
  readonly luck: number;
}

/**
 * Milliseconds until the next attempt, or undefined when there is none: the step of the schedule, spread by a
 * fifth, or what the receiver asked for within one and two steps.
 */
export const nextWait = ({ waits }: Schedule, { attempts, retryAfter, luck }: Failure): number | undefined => {
  const step = waits[attempts];
  if (step === undefined) return undefined;
  if (retryAfter !== undefined) return Math.min(Math.max(retryAfter, step), 2 * step);
  return Math.round(step * (1 - JITTER + 2 * JITTER * luck));
};
