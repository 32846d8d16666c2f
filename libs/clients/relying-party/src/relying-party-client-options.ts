import type { Pause } from './service-calls.js';
import type { SessionState, SessionStatus } from './session.js';

export interface RelyingPartyClientOptions {
  /** The service's {base_url} (specification/conventions.md#addresses): https, or http on loopback. */
  readonly baseUrl: string;
  /** A UUID, given at registration. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** Allows http beyond loopback, for a network that no other party can read. */
  readonly allowPlainHttp?: boolean;
  /** Default: `globalThis.fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds for one attempt of a call. Default 10 000. */
  readonly timeoutMs?: number;
  /** Repetitions of a call, where a repetition is safe. Default 2. */
  readonly retries?: number;
  /** Milliseconds between two polls where the service does not hold an answer. Default 2000, as specification/relying-party.md#get-status suggests. */
  readonly pollIntervalMs?: number;
  /** Waits between two attempts; tests replace it. */
  readonly pause?: Pause;
}

export interface Cancellable {
  readonly signal?: AbortSignal;
}

export interface ChangeOptions extends Cancellable {
  /** The status seen last. Default PENDING, the first status of every session, so that no change before the call is missed. */
  readonly since?: SessionStatus;
  /** Seconds to wait for a change, 0 to 30. Default 25. */
  readonly waitSeconds?: number;
}

export interface SettleOptions extends Cancellable {
  /** Milliseconds in all. Default 420 000, longer than the life of any session. */
  readonly timeoutMs?: number;
  /** Called once for every status after PENDING. */
  readonly onChange?: (state: SessionState) => void;
}
