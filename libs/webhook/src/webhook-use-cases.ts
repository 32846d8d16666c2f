import { type Clock, type KeyRing, type Randomness, Sealer } from '#kernel';
import type { EventStore } from '#event-store';
import type { JobQueue } from '#job-queue';
import type { Projections } from '#read-model';
import { WebhookEndpoints } from '#relying-party';
import { SessionPublication } from '#session';

import { DeliveryLogs } from './delivery/delivery-logs.js';
import { GuardedPost, type PostOptions } from './delivery/guarded-post.js';
import { WebhookJobs } from './delivery/webhook-jobs.js';
import { ReachableNetworks } from './domain/reachable-networks.js';
import { deliveriesProjection } from './read-models/deliveries-projection.js';
import { DeliveryRows } from './read-models/delivery-rows.js';
import { AddDelivery } from './use-cases/add-delivery.js';
import { AddWebhookEndpoint } from './use-cases/add-webhook-endpoint.js';
import { AttemptDelivery, type DeliveryObserver } from './use-cases/attempt-delivery.js';
import { EndpointHealth } from './delivery/endpoint-health.js';
import { ChangeWebhookEndpoint } from './use-cases/change-webhook-endpoint.js';
import { FanOut } from './use-cases/fan-out.js';
import { ListDeliveries } from './use-cases/list-deliveries.js';
import { ListWebhookEndpoints } from './use-cases/list-webhook-endpoints.js';
import { PingWebhookEndpoint } from './use-cases/ping-webhook-endpoint.js';
import { ReconcileDeliveries } from './use-cases/reconcile-deliveries.js';
import { RecoverDeliveries } from './use-cases/recover-deliveries.js';
import { RemoveWebhookEndpoint } from './use-cases/remove-webhook-endpoint.js';
import { RetryDelivery } from './use-cases/retry-delivery.js';
import { RotateWebhookSecret } from './use-cases/rotate-webhook-secret.js';

/** The parts of the process that the use cases need. */
export interface WebhookParts {
  readonly eventStore: EventStore;
  readonly projections: Projections;
  readonly jobQueue: JobQueue;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly keys: { readonly data: KeyRing };
  readonly settings: { readonly webhookAllowedNetworks: readonly string[] };
}

const partsOf = ({ eventStore, projections, jobQueue, clock, randomness, keys, settings }: WebhookParts) => {
  const rows = new DeliveryRows(projections.follow(deliveriesProjection));
  const logs = new DeliveryLogs({ store: eventStore, clock, rows });
  const jobs = new WebhookJobs(jobQueue);
  return {
    eventStore,
    clock,
    randomness,
    rows,
    logs,
    jobs,
    endpoints: new WebhookEndpoints(eventStore, clock),
    networks: new ReachableNetworks(settings.webhookAllowedNetworks),
    sealer: new Sealer(keys.data, randomness),
    addDelivery: new AddDelivery(logs, jobs, clock),
  };
};

/** The use cases of staff: the webhook endpoints of a client and their deliveries. */
export const webhookAdministration = (webhookParts: WebhookParts) => {
  const parts = partsOf(webhookParts);
  const { eventStore, rows, endpoints, networks, logs, jobs, addDelivery, clock, randomness } = parts;
  return {
    addWebhookEndpoint: new AddWebhookEndpoint(parts),
    changeWebhookEndpoint: new ChangeWebhookEndpoint(endpoints, networks, clock),
    removeWebhookEndpoint: new RemoveWebhookEndpoint(endpoints, clock),
    rotateWebhookSecret: new RotateWebhookSecret(parts),
    listWebhookEndpoints: new ListWebhookEndpoints(endpoints),
    endpointHealth: new EndpointHealth(eventStore),
    pingWebhookEndpoint: new PingWebhookEndpoint(endpoints, addDelivery, clock, randomness),
    recoverDeliveries: new RecoverDeliveries(parts),
    listDeliveries: new ListDeliveries(rows, endpoints, clock),
    retryDelivery: new RetryDelivery(endpoints, logs, jobs, clock),
  };
};

/** The use cases of the dispatcher. `close` frees its connections. */
export const webhookDispatch = (webhookParts: WebhookParts, observer: DeliveryObserver, options: Omit<PostOptions, 'networks'> = {}) => {
  const parts = partsOf(webhookParts);
  const post = new GuardedPost({ networks: parts.networks, ...options });
  return {
    fanOut: new FanOut(parts.endpoints, parts.addDelivery, parts.clock),
    attemptDelivery: new AttemptDelivery({ ...parts, post, observer, sessions: new SessionPublication(parts.eventStore, parts.clock) }),
    reconcileDeliveries: new ReconcileDeliveries(parts),
    close: () => post.close(),
  };
};
