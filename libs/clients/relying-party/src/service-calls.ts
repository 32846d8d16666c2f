import { setTimeout as sleep } from 'node:timers/promises';

import { CountersignError, RefusedRequest, ServiceUnreachable } from './errors.js';
import { type Answer, readAnswer } from './read-answer.js';

/**
 * When a call may be repeated automatically. `WHEN_REFUSED`: only after a refusal with `Retry-After`, because then the service did
 * nothing. `ALWAYS`: also without an answer, because a repetition has no further effect.
 */
export type Repeatable = 'NEVER' | 'WHEN_REFUSED' | 'ALWAYS';

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Under `/relying-party/v1/`, or of another interface of the service where it begins with a slash. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly repeatable: Repeatable;
  /** Milliseconds that the service may hold the answer, besides the usual time. */
  readonly heldMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Resolves after the given milliseconds; rejects with the reason of the signal. */
export type Pause = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

export const pauseFor: Pause = async (milliseconds, signal) => {
  try {
    await sleep(milliseconds, undefined, signal ? { signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
};

export interface ServiceCallsOptions {
  readonly baseUrl: string;
  /** The value of the Authorization header. */
  readonly authorization: string;
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds for one attempt. */
  readonly timeoutMs: number;
  /** Attempts after the first. */
  readonly retries: number;
  readonly pause: Pause;
}

/** Milliseconds. When the service asks for a longer pause, the error goes to the caller. */
const LONGEST_PAUSE = 10_000;

/** One HTTP call to the service, with its credentials, its time limit and the repetitions that are safe. */
export class ServiceCalls {
  constructor(private readonly options: ServiceCallsOptions) {}

  /** Throws a {@link CountersignError}, or the reason of the given signal. */
  async send(call: Call): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.once(call);
      } catch (error) {
        const pauseMs = attempt < this.options.retries ? pauseBeforeRetry(error, call.repeatable, attempt) : undefined;
        if (pauseMs === undefined) throw error;
        await this.options.pause(pauseMs, call.signal);
      }
    }
  }

  private async once(call: Call): Promise<Answer> {
    const { baseUrl, authorization, fetch, timeoutMs } = this.options;
    const time = AbortSignal.timeout(timeoutMs + (call.heldMs ?? 0));
    call.signal?.throwIfAborted();
    try {
      const path = call.path.startsWith('/') ? call.path : `/relying-party/v1/${call.path}`;
      const response = await fetch(`${baseUrl}${path}`, {
        method: call.method,
        headers: {
          authorization,
          accept: 'application/json',
          ...(call.body ? { 'content-type': 'application/json' } : {}),
          ...call.headers,
        },
        ...(call.body ? { body: JSON.stringify(call.body) } : {}),
        // Following a redirect would send the credentials to another address, or lose them.
        redirect: 'manual',
        signal: call.signal ? AbortSignal.any([time, call.signal]) : time,
      });
      return await readAnswer(response);
    } catch (error) {
      if (error instanceof CountersignError) throw error;
      call.signal?.throwIfAborted();
      const what = time.aborted ? 'the service did not answer in time' : 'the service cannot be reached';
      throw new ServiceUnreachable(what, { retryable: call.repeatable === 'ALWAYS', cause: error });
    }
  }
}

const pauseBeforeRetry = (error: unknown, repeatable: Repeatable, attempt: number): number | undefined => {
  if (repeatable === 'NEVER' || !(error instanceof CountersignError) || !error.retryable) return undefined;
  const askedFor = error instanceof RefusedRequest ? error.retryAfter : undefined;
  if (askedFor !== undefined) return askedFor * 1000 <= LONGEST_PAUSE ? askedFor * 1000 : undefined;
  return repeatable === 'ALWAYS' ? 250 * 2 ** attempt * (1 + Math.random()) : undefined;
};
