import { createHttpApp, type HttpApp } from '#service/http';
import { startConsumer } from '#engines/message-bus';
import type { Application, Platform } from '#service/platform';
import { CONSUMER_GROUPS, SESSION_EVENTS_TOPIC } from '#domain/session';

import { SessionStatusesModule } from './session-statuses.module.js';
import { SessionTimersModule } from './session-timers.module.js';
import { sweepHourly } from './sweeping.js';
import { TimersModule } from './timers.module.js';

/** Milliseconds: no request waits for these consumers, and the events of a busy time share statements and commits. */
const LINGER = 200;

/**
 * Ends sessions at their deadline, also those that no request touches, erases results and deletes sessions when their time is over, and keeps the status cache right. No request depends
 * on it: a request that finds a session after its deadline ends it as well.
 */
export const createTimersApp = async (platform: Platform): Promise<HttpApp> => {
  const { messageBus, stopping, serving, readiness, log, metrics, settings, useCases, proxyReports } = platform;
  const { noteTimer, timers, sweepOldSessions, share } = useCases.sessionTimers();
  const of = { bus: messageBus, topic: SESSION_EVENTS_TOPIC, signal: stopping, linger: LINGER };
  const consumer = await startConsumer(SessionTimersModule.register(noteTimer), {
    ...of,
    group: CONSUMER_GROUPS.timers,
    assigned: (assignment) => timers.assigned(assignment),
  });
  readiness.set('timers consumer', () => consumer.check());
  const working = [serving.then(() => timers.run()), serving.then(() => sweepHourly(sweepOldSessions, () => share.owned.includes(0), platform))];
  const ends = [() => consumer.close()];

  const restoreStatus = useCases.restoreCachedStatus();
  if (restoreStatus) {
    const statuses = await startConsumer(SessionStatusesModule.register(restoreStatus), { ...of, group: CONSUMER_GROUPS.statuses });
    readiness.set('status consumer', () => statuses.check());
    ends.push(() => statuses.close());
  }
  const end = (): Promise<unknown> => Promise.all([...ends.map((close) => close()), ...working]);
  return createHttpApp(TimersModule.register(end), { log, metrics, trustedProxies: settings.trustedProxies, proxyReports, budgets: {} });
};

export const timers: Application = { create: createTimersApp, prefixes: () => [] };
