import { createHttpApp, type HttpApp } from '#service/http';
import { startConsumer } from '#engines/message-bus';
import type { Application, Platform } from '#service/platform';
import { CONSUMER_GROUPS, SESSION_EVENTS_TOPIC } from '#domain/session';
import { DELIVERIES_GROUP, DELIVERIES_TOPIC } from '#domain/webhook';

import { DeliveryRequestsModule } from './delivery-requests.module.js';
import { PartitionWorkers } from './partition-workers.js';
import { startPushes } from './push-wake-ups.js';
import { Reconciliation } from './reconciliation.js';
import { WebhookEventsModule } from './webhook-events.module.js';
import { WebhookDispatcherModule } from './webhook-dispatcher.module.js';

/** Milliseconds. In a busy time, events that come within it share a fetch, a commit and one read of their client's endpoints; the first one after a pause does not wait. */
const LINGER = 50;

/**
 * Announces the changes of sessions to the servers of relying parties. Any replica finds the endpoints that an event goes to; the one that has an endpoint's
 * partition of the topic of deliveries records and sends (docs/adr/0036-webhooks-by-partition.md).
 */
export const createWebhookDispatcherApp = async (platform: Platform): Promise<HttpApp> => {
  const { messageBus, jobQueue, stopping, serving, readiness, log, metrics, settings, proxyReports } = platform;
  const dispatch = platform.useCases.webhookDispatch();
  const workers = new PartitionWorkers({ jobQueue, dispatch, stopping });
  const reconciliation = new Reconciliation(platform, dispatch.reconcileDeliveries);
  const of = { bus: messageBus, signal: stopping };
  const owner = await startConsumer(DeliveryRequestsModule.register(dispatch.takeDeliveryRequest), {
    ...of,
    topic: DELIVERIES_TOPIC,
    group: DELIVERIES_GROUP,
    assigned: (assignment) => {
      dispatch.assigned(assignment);
      workers.assigned(assignment);
      void serving.then(() => reconciliation.again());
    },
  });
  const consumer = await startConsumer(WebhookEventsModule.register(dispatch.fanOut), {
    ...of,
    topic: SESSION_EVENTS_TOPIC,
    group: CONSUMER_GROUPS.webhooks,
    linger: LINGER,
  });
  void serving.then(() => reconciliation.start());
  readiness.set('webhook consumer', () => consumer.check());
  readiness.set('webhook deliveries', () => owner.check());
  readiness.set('webhook attempts', () => workers.check());
  const pushes = startPushes(platform);
  const end = async (): Promise<void> => {
    await consumer.close();
    await owner.close();
    await pushes?.end();
    await workers.done();
  };
  return createHttpApp(WebhookDispatcherModule.register(end), { log, metrics, trustedProxies: settings.trustedProxies, proxyReports, budgets: {} });
};

export const webhookDispatcher: Application = { create: createWebhookDispatcherApp, prefixes: () => [] };
