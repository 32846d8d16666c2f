import type { Clock, EndpointId, Randomness, Sealer } from '#kernel';
import type { EventStore, StoreHistory } from '#engines/event-store';
import type { JobQueue } from '#engines/job-queue';
import type { Assignment, MessageBus } from '#engines/message-bus';
import type { Projections } from '#engines/read-model';
import type { FindClient, WebhookEndpoints } from '#domain/relying-party';
import type { FindSessionsOfClient, SessionPublication } from '#domain/session';

import { DeliveryLogs } from './delivery/delivery-logs.js';
import type { ClientNotices } from './delivery/client-notices.js';
import type { GuardedPost } from './delivery/guarded-post.js';
import type { DeliveryRequests } from './delivery/delivery-requests.js';
import type { WebhookRecorder } from './delivery/recorded-webhooks.js';
import { EndpointShare } from './delivery/endpoint-share.js';
import { WebhookJobs } from './delivery/webhook-jobs.js';
import type { ReachableNetworks } from './domain/reachable-networks.js';
import { deliveriesProjection } from './read-models/deliveries-projection.js';
import { DeliveryRows } from './read-models/delivery-rows.js';
import { AddDelivery } from './use-cases/add-delivery.js';
import { AddWebhookEndpoint } from './use-cases/add-webhook-endpoint.js';
import { AttemptDelivery, type DeliveryObserver } from './use-cases/attempt-delivery.js';
import { EndpointHealth } from './delivery/endpoint-health.js';
import { ChangeWebhookEndpoint } from './use-cases/change-webhook-endpoint.js';
import { ConfirmOwnReceiver } from './use-cases/confirm-own-receiver.js';
import { FanOut } from './use-cases/fan-out.js';
import { ListDeliveries } from './use-cases/list-deliveries.js';
import { ListFailingEndpoints } from './use-cases/list-failing-endpoints.js';
import { ListWebhookEndpoints } from './use-cases/list-webhook-endpoints.js';
import { PingWebhookEndpoint } from './use-cases/ping-webhook-endpoint.js';
import { ReconcileDeliveries } from './use-cases/reconcile-deliveries.js';
import { RecoverDeliveries } from './use-cases/recover-deliveries.js';
import { RemoveWebhookEndpoint } from './use-cases/remove-webhook-endpoint.js';
import { RequestLogouts } from './use-cases/request-logouts.js';
import { RetryDelivery } from './use-cases/retry-delivery.js';
import { RotateWebhookSecret } from './use-cases/rotate-webhook-secret.js';
import { TakeDeliveryRequest } from './use-cases/take-delivery-request.js';

/** The parts of the process that the use cases need. */
export interface WebhookParts {
  readonly eventStore: EventStore;
  readonly storeHistory: Pick<StoreHistory, 'onChange'>;
  readonly projections: Projections;
  readonly messageBus: Pick<MessageBus, 'send' | 'partitionOf'>;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly sealer: Sealer;
  readonly endpoints: WebhookEndpoints;
  readonly networks: ReachableNetworks;
  readonly publication: SessionPublication;
}

/** The repositories of deliveries, with their memory. */
export const deliveryRepositories = ({ eventStore, storeHistory, projections, clock }: WebhookParts) => {
  const rows = new DeliveryRows(projections.follow(deliveriesProjection));
  const logs = new DeliveryLogs({ store: eventStore, clock, rows });
  storeHistory.onChange(() => logs.storeRestored());
  return { rows, logs };
};

type Repositories = ReturnType<typeof deliveryRepositories> & { readonly requests: DeliveryRequests };

/** The use case of the erasure of persons, and of their own wish. */
export const requestLogouts = (findClient: Pick<FindClient, 'execute'>, requests: DeliveryRequests, clock: Clock) =>
  new RequestLogouts(findClient, requests, clock);

/** The use cases of staff: the webhook endpoints of a client and their deliveries. */
export const webhookAdministration = (parts: WebhookParts & Repositories & { readonly sessions: Pick<FindSessionsOfClient, 'execute'> }) => {
  const { eventStore, rows, endpoints, logs, requests, clock, randomness } = parts;
  return {
    addWebhookEndpoint: new AddWebhookEndpoint(parts),
    changeWebhookEndpoint: new ChangeWebhookEndpoint(parts),
    confirmOwnReceiver: new ConfirmOwnReceiver(endpoints, clock),
    removeWebhookEndpoint: new RemoveWebhookEndpoint(endpoints, clock),
    rotateWebhookSecret: new RotateWebhookSecret(parts),
    listWebhookEndpoints: new ListWebhookEndpoints(endpoints),
    endpointHealth: new EndpointHealth(eventStore),
    pingWebhookEndpoint: new PingWebhookEndpoint(endpoints, requests, clock, randomness),
    recoverDeliveries: new RecoverDeliveries(parts),
    listDeliveries: new ListDeliveries(rows, endpoints, clock),
    listFailingEndpoints: new ListFailingEndpoints(rows, endpoints),
    retryDelivery: new RetryDelivery(endpoints, logs, requests),
  };
};

export interface DispatchParts extends WebhookParts, Repositories {
  readonly jobQueue: JobQueue;
  readonly post: GuardedPost;
  readonly notices: ClientNotices;
  /** In the sandbox alone. */
  readonly recordedWebhooks?: WebhookRecorder | undefined;
}

/**
 * The use cases of the dispatcher. `assigned`: call it when the bus has given this process a share of the topic of deliveries; it closes the logs of all
 * other endpoints.
 */
export const webhookDispatch = (dispatchParts: DispatchParts, observer: DeliveryObserver) => {
  const share = new EndpointShare(dispatchParts.messageBus);
  const jobs = new WebhookJobs(dispatchParts.jobQueue, share);
  const parts = { ...dispatchParts, share, jobs };
  const { logs, clock, publication } = parts;
  const addDelivery = new AddDelivery(logs, jobs, clock);
  const attemptDelivery = new AttemptDelivery({ ...parts, observer, sessions: publication });
  return {
    fanOut: new FanOut(parts.endpoints, parts.notices, parts.requests, clock, parts.recordedWebhooks),
    takeDeliveryRequest: new TakeDeliveryRequest(addDelivery, logs, jobs, clock),
    attemptDelivery,
    jobs,
    assigned: (assignment: Assignment): void => {
      share.change(assignment);
      const owns = (endpointId: EndpointId): boolean => share.owns(endpointId);
      logs.keepOnly(owns);
      attemptDelivery.keepOnly(owns);
    },
    reconcileDeliveries: new ReconcileDeliveries(parts),
  };
};
