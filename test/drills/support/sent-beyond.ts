import { pause } from '../../support/index.js';
import type { Endpoint } from './webhook-endpoint.js';

/** Longer than the outcome of an attempt takes to be recorded and to appear in the tables, 12 s on a busy machine. Milliseconds. */
const SETTLED_WITHIN = 120_000;
const CHECK_INTERVAL = 1_000;

/**
 * The messages that were sent more than `most` times beyond their recorded attempts, one line each. The list of attempts lags behind the calls, so
 * a message with too many calls is looked at again, and its lowest number counts: a call whose attempt was lost stays uncounted.
 */
export const sentBeyond = async (most: number, endpoints: readonly Endpoint[]): Promise<readonly string[]> => {
  const uncounted = new Map<string, number>();
  const isBeyond = async (endpoint: Endpoint): Promise<boolean> => {
    // Each attempt in this list had its call before: `received` is read later.
    const { deliveries, received } = await endpoint.history();
    const calls = Map.groupBy(received, ({ id }) => id);
    const counts = deliveries.map(({ deliveryId, attempts }) => {
      const count = (calls.get(deliveryId)?.length ?? 0) - attempts.length;
      uncounted.set(deliveryId, Math.min(count, uncounted.get(deliveryId) ?? count));
      return uncounted.get(deliveryId)!;
    });
    return counts.some((count) => count > most);
  };
  let left = endpoints;
  for (const giveUpAt = Date.now() + SETTLED_WITHIN; left.length > 0 && Date.now() < giveUpAt;) {
    const beyond: Endpoint[] = [];
    for (const endpoint of left) if (await isBeyond(endpoint)) beyond.push(endpoint);
    left = beyond;
    if (left.length > 0) await pause(CHECK_INTERVAL);
  }
  const counts = [...uncounted];
  console.log(`${counts.filter(([, count]) => count > 0).length} messages with a call that is not counted, or not yet`);
  return counts.filter(([, count]) => count > most).map(([id, count]) => `${id}: ${count} calls that are not counted`);
};
