import type { SessionId } from '#kernel';

/** The stored form of a PIN proof: an HMAC under a key of the pin key ring. */
export type SealedProof = { readonly keyId: string; /** base64url */ readonly mac: string };

/**
 * The state of the PIN lock ladder: three wrong PINs lock the device for 3 hours, six for 24 hours, nine until it is enrolled
 * again. Every PIN event carries the whole state, so one event suffices to decide the next check. Times are epoch milliseconds.
 */
export type PinState = {
  readonly proof: SealedProof;
  /** Wrong PINs since the last right one. */
  readonly wrongInRow: number;
  /** The wrong PINs of sessions that may still be open. */
  readonly wrongTries: readonly { readonly sessionId: SessionId; readonly at: number }[];
  /** The last lock, also when it has ended. Without `until` it lasts until the phone is enrolled again. */
  readonly lock?: { readonly sessionId: SessionId; readonly until?: number };
};

const HOUR = 3_600_000;
const TRIES_PER_STEP = 3;
/** Lock durations after 3, 6 and 9 wrong PINs. The last lock has no end. */
const LOCKS: readonly (number | undefined)[] = [3 * HOUR, 24 * HOUR, undefined];
/** Wrong PINs are counted per session for this long. Longer than any session lasts. */
const SESSION_MEMORY = HOUR;
const MAX_REMEMBERED = 32;

export const freshPin = (proof: SealedProof): PinState => ({ proof, wrongInRow: 0, wrongTries: [] });

export const isLocked = ({ lock }: PinState, now: number): boolean => lock !== undefined && (lock.until === undefined || now < lock.until);

/** A right PIN resets the count in a row. The wrong PINs of each session still count for that session. */
export const afterRightPin = (pin: PinState, proof: SealedProof, now: number): PinState => ({
  proof,
  wrongInRow: 0,
  wrongTries: remembered(pin.wrongTries, now),
});

export const afterWrongPin = (pin: PinState, sessionId: SessionId, now: number): PinState => {
  const wrongTries = remembered([...pin.wrongTries, { sessionId, at: now }], now);
  const wrongInSession = wrongTries.filter((wrong) => wrong.sessionId === sessionId).length;
  const wrongInRow = pin.wrongInRow + 1;
  const count = Math.max(wrongInRow, wrongInSession);
  if (count % TRIES_PER_STEP !== 0) return { proof: pin.proof, wrongInRow, wrongTries };
  const duration = LOCKS[Math.min(count / TRIES_PER_STEP, LOCKS.length) - 1];
  const lock = duration === undefined ? { sessionId } : { sessionId, until: now + duration };
  return { proof: pin.proof, wrongInRow: count, wrongTries, lock };
};

/** How many more wrong PINs the session has before the device is locked. 0 when the last one locked it. */
export const attemptsLeft = (pin: PinState, sessionId: SessionId): number => {
  if (pin.lock) return 0;
  const wrongInSession = pin.wrongTries.filter((wrong) => wrong.sessionId === sessionId).length;
  return TRIES_PER_STEP - (Math.max(pin.wrongInRow, wrongInSession) % TRIES_PER_STEP);
};

const remembered = (tries: PinState['wrongTries'], now: number): PinState['wrongTries'] =>
  tries.filter(({ at }) => now - at < SESSION_MEMORY).slice(-MAX_REMEMBERED);
