import type { Delivery } from './delivery.js';

/**
 * A message that has just come waits for a retry that is due within this time, in milliseconds: longer than an event takes to be
 * recorded, and than clocks differ.
 */
const NEAR = 250;

const isFirst = ({ attempts }: Delivery): boolean => attempts === 0;

/**
 * Whose turn it is among the deliveries under way that tell one endpoint of one session, in the order of their addition
 * (api-extensions 6, "Order"): the first attempts in that order, and between them the retries at their time. It follows from what is
 * recorded and from no clock, so all replicas agree, and no two of them send at once.
 */
export const nextInLane = (lane: readonly Delivery[]): Delivery | undefined => {
  const first = lane.find(isFirst);
  const retry = lane.filter((delivery) => !isFirst(delivery)).toSorted((a, b) => a.nextAt - b.nextAt)[0];
  return first && (!retry || first.nextAt + NEAR < retry.nextAt) ? first : retry;
};
