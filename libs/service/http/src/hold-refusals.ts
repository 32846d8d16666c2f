import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

import { beyondLimit, type Limit, MemoryRateLimits } from '#engines/rate-limit';

import { callerOf } from './client-network.js';

/** The refusals of one caller that are answered at once. */
const AT_ONCE: Limit = { name: 'answered-at-once', times: 20, seconds: 10 };
/** How long each further one is held, in milliseconds. */
const HELD_FOR = 1_000;
/** The most that are held at one time: more would take memory, so they are answered at once. */
const MOST_HELD = 1_000;

/**
 * Holds the answers to a caller that goes on although it was told to wait: each refusal `rate_limited` beyond twenty in ten seconds comes a second later
 * (specification/conventions.md#rate-limits). So who asks again at once gets one answer a second over each connection, and takes no processor time from others. Each process counts for itself.
 * Call it after the hooks that may still change the answer.
 *
 * @param pause resolves after so many milliseconds.
 */
export const holdRefusals = (fastify: FastifyInstance, pause: (milliseconds: number) => Promise<unknown> = sleep): void => {
  const limits = new MemoryRateLimits();
  let held = 0;
  const hold = async (caller: string): Promise<void> => {
    if (held >= MOST_HELD || !(await isImpatient(limits, caller))) return;
    held += 1;
    await pause(HELD_FOR);
    held -= 1;
  };
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    if (request.refusal?.errorCode === 'rate_limited') hold(callerOf(request)).then(() => done(null, payload), done);
    else done(null, payload);
  });
};

const isImpatient = async (limits: MemoryRateLimits, caller: string): Promise<boolean> =>
  (await beyondLimit(limits.take(AT_ONCE, caller, ''))) !== undefined;
