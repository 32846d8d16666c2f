import { type Clock, type KeyRing, type Randomness, Sealer } from '#kernel';
import type { EventStore } from '#event-store';
import type { JobQueue } from '#job-queue';
import { WebhookEndpoints } from '#relying-party';

import { DeliveryLogs } from './delivery/delivery-log.js';
import { GuardedPost, type PostOptions } from './delivery/post.js';
import { WebhookJobs } from './delivery/webhook-jobs.js';
import { ReachableNetworks } from './domain/reachable-networks.js';
import { AddDelivery } from './use-cases/add-delivery.js';
import { AttemptDelivery, type DeliveryObserver } from './use-cases/attempt-delivery.js';
import { EndpointHealth } from './use-cases/endpoint-health.js';
import { FanOut } from './use-cases/fan-out.js';
import { ListDeliveries } from './use-cases/list-deliveries.js';
import { PingWebhookEndpoint } from './use-cases/ping-webhook-endpoint.js';
import { ReconcileDeliveries } from './use-cases/reconcile-deliveries.js';
import { RecoverDeliveries } from './use-cases/recover-deliveries.js';
import { RetryDelivery } from './use-cases/retry-delivery.js';
import { SessionProgress } from './use-cases/session-progress.js';
import {
  AddWebhookEndpoint,
  ChangeWebhookEndpoint,
  ListWebhookEndpoints,
  RemoveWebhookEndpoint,
  RotateWebhookSecret,
} from './use-cases/webhook-endpoint-use-cases.js';

/** What the use cases need of the process they run in. */
export interface WebhookParts {
  readonly eventStore: EventStore;
  readonly jobQueue: JobQueue;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly keys: { readonly data: KeyRing };
  readonly settings: { readonly webhookAllowedNetworks: readonly string[] };
}

const partsOf = ({ eventStore, jobQueue, clock, randomness, keys, settings }: WebhookParts) => {
  const logs = new DeliveryLogs(eventStore, randomness);
  const jobs = new WebhookJobs(jobQueue);
  return {
    eventStore,
    clock,
    randomness,
    logs,
    jobs,
    endpoints: new WebhookEndpoints(eventStore, clock, randomness),
    networks: new ReachableNetworks(settings.webhookAllowedNetworks),
    sealer: new Sealer(keys.data, randomness),
    addDelivery: new AddDelivery(logs, jobs, clock),
  };
};

/** What staff may do with the webhook endpoints of a client. */
export const webhookAdministration = (webhookParts: WebhookParts) => {
  const parts = partsOf(webhookParts);
  const { eventStore, endpoints, logs, jobs, addDelivery, clock, randomness } = parts;
  return [
    new AddWebhookEndpoint(parts),
    new ChangeWebhookEndpoint(parts),
    new RemoveWebhookEndpoint(parts),
    new RotateWebhookSecret(parts),
    new ListWebhookEndpoints(endpoints),
    new EndpointHealth(eventStore),
    new PingWebhookEndpoint(endpoints, addDelivery, clock, randomness),
    new RecoverDeliveries(parts),
    new ListDeliveries(eventStore, endpoints),
    new RetryDelivery(endpoints, logs, jobs, clock),
  ];
};

/** What the dispatcher does. */
export const webhookDispatch = (webhookParts: WebhookParts, observer: DeliveryObserver, options: Omit<PostOptions, 'networks'> = {}) => {
  const parts = partsOf(webhookParts);
  const post = new GuardedPost({ networks: parts.networks, ...options });
  return {
    fanOut: new FanOut(parts.endpoints, parts.addDelivery),
    attemptDelivery: new AttemptDelivery({ ...parts, post, observer, progress: new SessionProgress(parts.eventStore) }),
    reconcileDeliveries: new ReconcileDeliveries(parts.logs, parts.jobs, parts.clock),
    close: () => post.close(),
  };
};
