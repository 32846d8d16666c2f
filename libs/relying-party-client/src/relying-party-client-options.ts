import type { Pause } from './service-calls.js';
import type { SessionState, SessionStatus } from './session.js';

export interface RelyingPartyClientOptions {
  /** The service's {base_url}: https, or http on loopback. */
  readonly baseUrl: string;
  /** A UUID, given at registration. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** Allows http beyond loopback, for a network where nobody else listens. */
  readonly allowPlainHttp?: boolean;
  /** Default: the one of the platform. */
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds for one attempt of a call. Default 10 000. */
  readonly timeoutMs?: number;
  /** Repetitions of a call, where a repetition is safe. Default 2. */
  readonly retries?: number;
  /** Milliseconds between two polls where the service does not hold an answer. Default 2000, as the specification suggests. */
  readonly pollIntervalMs?: number;
  /** How to let time pass; tests bring their own. */
  readonly pause?: Pause;
}

export interface Cancellable {
  readonly signal?: AbortSignal;
}

export interface ChangeOptions extends Cancellable {
  /** The status seen last. Default PENDING, as every session begins: what happened before the call is not missed. */
  readonly since?: SessionStatus;
  /** Seconds to wait for a change, 0 to 30. Default 25. */
  readonly waitSeconds?: number;
}

export interface SettleOptions extends Cancellable {
  /** Milliseconds in all. Default 420 000: longer than any session lives. */
  readonly timeoutMs?: number;
  /** Told of every status after PENDING, once. */
  readonly onChange?: (state: SessionState) => void;
}
