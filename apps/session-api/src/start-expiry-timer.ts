import { setTimeout as sleep } from 'node:timers/promises';

import { type DynamicModule, Module } from '@nestjs/common';

import { startConsumer } from '#message-bus';
import type { Platform } from '#platform';
import { ExpiryJobs, CONSUMER_GROUPS, SESSION_EVENTS_TOPIC, sessionExpiry } from '#session';

import { SessionDeadlinesController } from './session-deadlines.controller.js';

@Module({ controllers: [SessionDeadlinesController] })
class ExpiryTimerModule {
  static register(jobs: ExpiryJobs): DynamicModule {
    return { module: ExpiryTimerModule, providers: [{ provide: ExpiryJobs, useValue: jobs }] };
  }
}

/** In milliseconds. */
const RECONCILE_EVERY = 30_000;

/**
 * Ends sessions at their deadline, also those that no request touches,, and erases results and sessions when their retention is over. Runs until the
 * platform stops. No request depends on it, since a request for a session ends it as well: failures go to log and metrics.
 */
export const startExpiryTimer = async (platform: Platform, reconcileEvery = RECONCILE_EVERY): Promise<void> => {
  const { messageBus, stopping, log } = platform;
  const { jobs, reconciler, retentions } = sessionExpiry(platform);

  jobs.process(stopping);
  for (const retention of retentions) retention.process(stopping);
  const consumer = await startConsumer(ExpiryTimerModule.register(jobs), {
    bus: messageBus,
    topic: SESSION_EVENTS_TOPIC,
    group: CONSUMER_GROUPS.expiry,
    signal: stopping,
  });

  stopping.addEventListener('abort', () => void consumer.close(), { once: true });
  void repeat(reconcileEvery, stopping, async () => {
    try {
      await reconciler.reconcile();
      for (const retention of retentions) await retention.reconcile();
    } catch (error) {
      if (!stopping.aborted) log.warn('expiry jobs could not be reconciled', { component: 'session-expiry', error });
    }
  });
};

const repeat = async (milliseconds: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> => {
  while (!signal.aborted) {
    await work();
    await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  }
};
