import { createRequire } from 'node:module';

interface RequestQueue {
  readonly pending: readonly unknown[];
  readonly throttledUntil: number;
  scheduleCheckPendingRequests(): void;
}

const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as { prototype: RequestQueue };
const schedule = prototype.scheduleCheckPendingRequests;

/**
 * kafkajs 2.2.4 runs a timer with a negative delay for each idle connection, which fires every millisecond (tulios/kafkajs#1751). The timer is
 * needed only while requests wait, or are throttled.
 */
prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
  // The library compares with the wall clock, so this does too.
  if (this.pending.length > 0 || this.throttledUntil > performance.timeOrigin + performance.now()) schedule.call(this);
};
