import { CountersignError, WaitTimedOut } from './errors.js';
import type { Answer } from './read-answer.js';
import { statusIn, timeIn } from './read-fields.js';
import type { Cancellable, ChangeOptions, SettleOptions } from './relying-party-client-options.js';
import type { Pause, ServiceCalls } from './service-calls.js';
import { type SessionState, type SessionStatus, SETTLED, type SettledStatus } from './session.js';

export interface SessionWatchParts {
  readonly calls: ServiceCalls;
  readonly pause: Pause;
  readonly pollIntervalMs: number;
}

/** Reads the status of sessions and waits for changes. The methods are documented at `RelyingPartyClient`. */
export class SessionWatch {
  constructor(private readonly parts: SessionWatchParts) {}

  async status(sessionId: string, { signal }: Cancellable = {}): Promise<SessionState> {
    return sessionState(await this.#readStatus(sessionId, '', { signal }));
  }

  async waitForChange(sessionId: string, { since = 'PENDING', waitSeconds = 25, signal }: ChangeOptions = {}): Promise<SessionState> {
    const until = performance.now() + waitSeconds * 1000;
    for (;;) {
      const seconds = Math.max(0, Math.ceil((until - performance.now()) / 1000));
      const answer = await this.#readStatus(sessionId, `?since=${since}`, {
        headers: { prefer: `wait=${seconds}` },
        heldMs: seconds * 1000,
        signal,
      });
      const state = sessionState(answer);
      const timeIsUp = performance.now() + this.parts.pollIntervalMs > until;
      if (state.status !== since || isSettled(state.status) || timeIsUp) return state;
      await this.parts.pause(this.parts.pollIntervalMs, signal);
    }
  }

  async waitUntilSettled(sessionId: string, options: SettleOptions = {}): Promise<SettledStatus> {
    const { timeoutMs = 420_000, onChange, signal } = options;
    const until = performance.now() + timeoutMs;
    let since: SessionStatus = 'PENDING';
    while (performance.now() < until) {
      const waitSeconds = Math.min(25, Math.ceil((until - performance.now()) / 1000));
      const state = await this.#readOrPause(signal, () => this.waitForChange(sessionId, { since, waitSeconds, ...(signal && { signal }) }));
      if (state === undefined) continue;
      if (state.status !== since) onChange?.(state);
      since = state.status;
      if (isSettled(state.status)) return state.status;
    }
    throw new WaitTimedOut(`the session was not decided within ${timeoutMs} ms`, { retryable: true });
  }

  #readStatus(
    sessionId: string,
    query: string,
    call: { headers?: Record<string, string>; heldMs?: number; signal?: AbortSignal | undefined },
  ): Promise<Answer> {
    const path = `session/${encodeURIComponent(sessionId)}/status${query}`;
    return this.parts.calls.send({ method: 'GET', path, repeatable: 'ALWAYS', ...call });
  }

  async #readOrPause<Value>(signal: AbortSignal | undefined, read: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof CountersignError) || !error.retryable) throw error;
      await this.parts.pause(this.parts.pollIntervalMs, signal);
      return undefined;
    }
  }
}

const sessionState = (answer: Answer): SessionState => {
  const status = statusIn(answer);
  return isSettled(status) ? { status } : { status, expiresAt: timeIn(answer, 'expiresAt') };
};

const isSettled = (status: SessionStatus): status is SettledStatus => SETTLED[status];
