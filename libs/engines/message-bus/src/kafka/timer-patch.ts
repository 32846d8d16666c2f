import { createRequire } from 'node:module';

interface SentRequest {
  /** Epoch milliseconds. */
  readonly sentAt: number;
  /** Milliseconds. */
  readonly requestTimeout: number;
  timeoutRequest(): void;
}

interface RequestQueue {
  readonly pending: readonly unknown[];
  readonly throttledUntil: number;
  readonly inflight: ReadonlyMap<number, SentRequest>;
  readonly enforceRequestTimeout: boolean;
  /** Milliseconds. No request has a shorter one. */
  readonly requestTimeout: number;
  requestTimeoutIntervalId?: NodeJS.Timeout;
  isConnected(): boolean;
  destroy(): void;
  scheduleCheckPendingRequests(): void;
  scheduleRequestTimeoutCheck(): void;
}

const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as { prototype: RequestQueue };
const schedule = prototype.scheduleCheckPendingRequests;

/** The library compares with the wall clock, so this does too. */
const now = (): number => performance.timeOrigin + performance.now();

/**
 * kafkajs 2.2.4 runs a timer with a negative delay for each idle connection, which fires every millisecond (tulios/kafkajs#1751). The timer is
 * needed only while requests wait, or are throttled.
 */
prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
  if (this.pending.length > 0 || this.throttledUntil > now()) schedule.call(this);
};

/**
 * kafkajs 2.2.4 looks ten times a second, for each connection, whether a request has waited for its answer too long. A service with two consumers would wake
 * forty times a second for that while nothing happens. Here the next look is when the first request under way could be late: a request that is sent in between is
 * late after that.
 */
prototype.scheduleRequestTimeoutCheck = function (this: RequestQueue) {
  if (!this.enforceRequestTimeout) return;
  this.destroy();
  const lookIn = (milliseconds: number): void => {
    this.requestTimeoutIntervalId = setTimeout(look, Math.ceil(milliseconds)).unref();
  };
  const look = (): void => {
    const at = now();
    let wait = this.requestTimeout;
    for (const request of [...this.inflight.values()]) {
      const left = request.sentAt + request.requestTimeout - at;
      if (left < 0) request.timeoutRequest();
      else wait = Math.min(wait, left + 1);
    }
    if (this.isConnected()) lookIn(wait);
  };
  lookIn(this.requestTimeout);
};
