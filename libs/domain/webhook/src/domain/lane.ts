import type { Delivery } from './delivery.js';

/**
 * A new message waits for a retry that is due within this time, in milliseconds. It is longer than an event takes to be recorded, and than
 * clocks differ.
 */
const NEAR = 250;

const isFirst = ({ attempts }: Delivery): boolean => attempts === 0;

/**
 * The next delivery of a lane (specification/webhooks.md#order). `lane`: the pending deliveries that announce one session to one endpoint, in the
 * order of their addition. First attempts are made in that order; retries come between them at their time. The choice depends on the
 * record and on no clock, so all replicas agree, and no two of them send at once.
 */
export const nextInLane = (lane: readonly Delivery[]): Delivery | undefined => {
  const first = lane.find(isFirst);
  const retry = lane.filter((delivery) => !isFirst(delivery)).toSorted((a, b) => a.nextAt - b.nextAt)[0];
  return first && (!retry || first.nextAt + NEAR < retry.nextAt) ? first : retry;
};
