import type { SessionId } from '#kernel';

/** A PIN proof under the key ring: what the service keeps of it. */
export type KeptProof = { readonly keyId: string; /** base64url */ readonly mac: string };

/** All that a PIN check needs to know of the ones before. Every event of a check carries it. Times in epoch milliseconds. */
export type PinState = {
  readonly proof: KeptProof;
  /** Wrong tries since the last right one. */
  readonly wrongInRow: number;
  /** The wrong tries of sessions that may still be open. */
  readonly wrongTries: readonly { readonly sessionId: SessionId; readonly at: number }[];
  /** The last lock, over or not. Without `until` it lasts until the phone is enrolled again. */
  readonly lock?: { readonly sessionId: SessionId; readonly until?: number };
};

const HOUR = 3_600_000;
const TRIES_PER_STEP = 3;
/** How long the device is locked after 3, 6 and 9 wrong tries; the last one has no end. */
const LOCKS: readonly (number | undefined)[] = [3 * HOUR, 24 * HOUR, undefined];
/** No session lives as long. */
const SESSION_MEMORY = HOUR;
const MAX_REMEMBERED = 32;

export const freshPin = (proof: KeptProof): PinState => ({ proof, wrongInRow: 0, wrongTries: [] });

export const isLocked = ({ lock }: PinState, now: number): boolean => lock !== undefined && (lock.until === undefined || now < lock.until);

/** A right PIN starts the row anew; what a session has tried wrong stays with the session. */
export const afterRightPin = (pin: PinState, proof: KeptProof, now: number): PinState => ({
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

/** How often the session may still be wrong before the device is locked; 0 when it has just been. */
export const attemptsLeft = (pin: PinState, sessionId: SessionId): number => {
  if (pin.lock) return 0;
  const wrongInSession = pin.wrongTries.filter((wrong) => wrong.sessionId === sessionId).length;
  return TRIES_PER_STEP - (Math.max(pin.wrongInRow, wrongInSession) % TRIES_PER_STEP);
};

const remembered = (tries: PinState['wrongTries'], now: number): PinState['wrongTries'] =>
  tries.filter(({ at }) => now - at < SESSION_MEMORY).slice(-MAX_REMEMBERED);
