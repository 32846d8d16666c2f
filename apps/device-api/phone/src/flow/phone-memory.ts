import type { SessionRequest } from '#clients/device';
import type { Outcome } from './outcome.js';

/** A request that this phone has seen, and how it ended. */
export interface PastRequest {
  readonly sessionId: string;
  readonly relyingPartyName: string;
  readonly signatureType: SessionRequest['signatureType'];
  readonly outcome: Outcome;
  /** Epoch milliseconds of the service. */
  readonly at: number;
  /** Of a login at a relying party that takes log-outs. */
  readonly logoutClientId?: string;
}

/** The memory of this phone besides its keys. It never leaves the browser and goes when the phone is removed. */
export interface PhoneMemory {
  /** The newest first. */
  readonly requests: readonly PastRequest[];
  /** After a wrong PIN, until the next right one. */
  readonly pinAttemptsLeft?: number;
  /** The phones of the person that the person has said are known. */
  readonly knownDevices?: readonly string[];
}

export interface PhoneMemoryStore {
  load(): Promise<PhoneMemory | undefined>;
  save(memory: PhoneMemory): Promise<void>;
}

export const EMPTY_MEMORY: PhoneMemory = { requests: [] };

const MOST = 10;

/** The memory with one more request. A request that ends twice (left, then expired) is listed once. */
export const remembered = (
  memory: PhoneMemory,
  { sessionId, relyingPartyName, signatureType, logoutClientId }: SessionRequest,
  outcome: Outcome,
  at: number,
): PhoneMemory => ({
  ...memory,
  requests: [
    { sessionId, relyingPartyName, signatureType, outcome, at, ...(logoutClientId !== undefined && { logoutClientId }) },
    ...memory.requests.filter((request) => request.sessionId !== sessionId),
  ].slice(0, MOST),
});

/** @param attemptsLeft absent after a right PIN */
export const withPinAttempts = ({ pinAttemptsLeft: _, ...memory }: PhoneMemory, attemptsLeft?: number): PhoneMemory => ({
  ...memory,
  ...(attemptsLeft === undefined ? {} : { pinAttemptsLeft: attemptsLeft }),
});
