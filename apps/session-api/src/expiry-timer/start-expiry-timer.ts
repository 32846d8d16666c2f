import { setTimeout as sleep } from 'node:timers/promises';

import { type DynamicModule, Module } from '@nestjs/common';

import { startConsumer } from '#message-bus';
import type { Platform } from '#platform';
import { SESSION_EVENTS_TOPIC, timedSessionUseCases } from '#session';

import { ExpiryJobs } from './expiry-jobs.js';
import { LostJobs } from './lost-jobs.js';
import { SessionDeadlinesController } from './session-deadlines.controller.js';
import { SessionRetention } from './session-retention.js';

@Module({ controllers: [SessionDeadlinesController] })
class ExpiryTimerModule {
  static register(jobs: ExpiryJobs): DynamicModule {
    return { module: ExpiryTimerModule, providers: [{ provide: ExpiryJobs, useValue: jobs }] };
  }
}

/** In milliseconds. */
const RECONCILE_EVERY = 30_000;

/**
 * Ends sessions that nobody asks about when their time is up, and deletes them thirty days later. Runs until the platform
 * stops; its trouble is told to the log and to the metrics, and no request depends on it: whoever asks for a session ends it too.
 */
export const startExpiryTimer = async (platform: Platform, reconcileEvery = RECONCILE_EVERY): Promise<void> => {
  const { messageBus, jobQueue, stopping, log } = platform;
  const { endSessionByTime, deleteOldSessions } = timedSessionUseCases(platform);
  const jobs = new ExpiryJobs(jobQueue, endSessionByTime);
  const retention = new SessionRetention(jobQueue, deleteOldSessions);
  const lostJobs = new LostJobs(platform, jobs);

  jobs.process(stopping);
  retention.process(stopping);
  const consumer = await startConsumer(ExpiryTimerModule.register(jobs), { bus: messageBus, topic: SESSION_EVENTS_TOPIC, group: 'session-expiry', signal: stopping });

  stopping.addEventListener('abort', () => void consumer.close(), { once: true });
  void repeat(reconcileEvery, stopping, async () => {
    try {
      await lostJobs.reconcile();
      await retention.reconcile();
    } catch (error) {
      if (!stopping.aborted) log.warn('lost jobs could not be looked for', { component: 'session-expiry', error });
    }
  });
};

const repeat = async (milliseconds: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> => {
  while (!signal.aborted) {
    await work();
    await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  }
};
