import type { Result } from 'ioredis';

import type { RedisClient } from '#engines/access';

/** KEYS: the done jobs, then each job. ARGV: the ids of the jobs, in that order. One step, so that a job that was scheduled again stays. */
const FORGET = `
local forgotten = {}
for number, id in ipairs(ARGV) do
  if redis.call('ZREM', KEYS[1], id) == 1 then
    redis.call('DEL', KEYS[number + 1])
    forgotten[#forgotten + 1] = id
  end
end
return forgotten
`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    forgetDone(numberOfKeys: number, ...keysAndIds: string[]): Result<string[], Context>;
  }
}

/** Adds the command that removes those of these jobs that BullMQ keeps as completed, and answers their ids. */
export const defineForgetDone = (redis: RedisClient): void => redis.defineCommand('forgetDone', { lua: FORGET });
