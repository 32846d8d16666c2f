import { createRequire } from 'node:module';

interface RequestQueue {
  readonly pending: readonly unknown[];
  readonly throttledUntil: number;
  scheduleCheckPendingRequests(): void;
}

const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as { prototype: RequestQueue };
const schedule = prototype.scheduleCheckPendingRequests;

/**
 * kafkajs 2.2.4 keeps a timer of a negative delay running for each idle connection, which fires every millisecond
 * (tulios/kafkajs#1751). There is something to look after only when requests wait, or will after a throttling.
 */
prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
  // The library compares with the wall clock, so this does too.
  if (this.pending.length > 0 || this.throttledUntil > performance.timeOrigin + performance.now()) schedule.call(this);
};
