import { createHttpApp, type HttpApp } from '#http';
import { runAgain } from '#job-queue';
import { startConsumer } from '#message-bus';
import type { Application, Platform } from '#platform';
import { CONSUMER_GROUPS, SESSION_EVENTS_TOPIC } from '#session';
import { type AttemptPayload, RetryLater, WEBHOOK_QUEUE, webhookDispatch } from '#webhook';

import { DeliveryTelemetry } from './delivery-telemetry.js';
import { startPushes } from './push-wake-ups.js';
import { Reconciliation } from './reconciliation.js';
import { SessionEventsModule } from './session-events.module.js';
import { WebhookDispatcherModule } from './webhook-dispatcher.module.js';

/** Attempts that are under way or wait for their endpoint. An endpoint that hangs holds a small part of them (see EndpointGate). */
const CONCURRENCY = 1_000;

/** Announces the changes of sessions to the servers of relying parties. */
export const createWebhookDispatcherApp = async (platform: Platform): Promise<HttpApp> => {
  const { messageBus, jobQueue, stopping, serving, readiness, log, metrics, settings } = platform;
  const { fanOut, attemptDelivery, reconcileDeliveries, close } = webhookDispatch(platform, new DeliveryTelemetry(log, metrics));
  const processing = jobQueue.process<AttemptPayload>(WEBHOOK_QUEUE, {
    concurrency: CONCURRENCY,
    signal: stopping,
    handler: async ({ payload }, { signal }) => {
      const result = await attemptDelivery.execute(payload, signal);
      return result instanceof RetryLater ? runAgain(result.at) : undefined;
    },
  });
  const consumer = await startConsumer(SessionEventsModule.register(fanOut), {
    bus: messageBus,
    topic: SESSION_EVENTS_TOPIC,
    group: CONSUMER_GROUPS.webhooks,
    signal: stopping,
  });
  void serving.then(() => new Reconciliation(platform, reconcileDeliveries).start());
  readiness.set('webhook consumer', () => consumer.check());
  readiness.set('webhook attempts', () => processing.check());
  const pushes = startPushes(platform);
  const end = async (): Promise<void> => {
    await consumer.close();
    await pushes?.end();
    await processing.done;
    close();
  };
  return createHttpApp(WebhookDispatcherModule.register(end), { log, metrics, trustedProxies: settings.trustedProxies });
};

export const webhookDispatcher: Application = { create: createWebhookDispatcherApp, prefixes: () => [] };
