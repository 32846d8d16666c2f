import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { RedisRateLimits } from '#engines/rate-limit';

const PROBE = { name: 'probes', times: 1, seconds: 60 };

/** The limits of two replicas that are connected to the Redis at that address: until then each would count for itself. */
export const redisReplicas = async (url: string): Promise<readonly [RedisRateLimits, RedisRateLimits]> => {
  const refused = (reason: string): never => {
    throw new Error(reason);
  };
  const replicas = [new RedisRateLimits({ url }, refused), new RedisRateLimits({ url }, refused)] as const;
  while (!(await countTogether(replicas))) await nextTurn();
  return replicas;
};

/** Whether an event that one has counted is one too many for the other. */
const countTogether = async ([one, other]: readonly [RedisRateLimits, RedisRateLimits]): Promise<boolean> => {
  const key = randomUUID();
  await one.take(PROBE, key, 'probe');
  return other.take(PROBE, key, 'probe').then(
    () => false,
    () => true,
  );
};
