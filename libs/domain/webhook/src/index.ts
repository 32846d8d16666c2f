export { DeliveryRequests } from './delivery/delivery-requests.js';
export { DeliveryTelemetry } from './delivery/delivery-telemetry.js';
export { EndpointHealth } from './delivery/endpoint-health.js';
export { GATE_LIMITS, RetryLater } from './delivery/endpoint-gate.js';
export { type GetOutcome, GuardedGet } from './delivery/guarded-get.js';
export { GuardedPost, type PostOptions, type PostOutcome } from './delivery/guarded-post.js';
export { type RecordedWebhook, RecordedWebhooks } from './delivery/recorded-webhooks.js';
export { queueOfPartition, WEBHOOK_QUEUE } from './delivery/endpoint-share.js';
export type { AttemptPayload } from './delivery/webhook-jobs.js';
export {
  DELIVERIES_GROUP,
  DELIVERIES_TOPIC,
  DELIVERY_REQUESTED,
  deliveryChannel,
  type NewDelivery,
  RETRY_REQUESTED,
} from './domain/delivery-request.js';
export { ReachableNetworks } from './domain/reachable-networks.js';
export { retryAfterOf } from './domain/retry-after.js';
export { isWebhookSecret, webhookSignature } from './domain/webhook-secret.js';
export { LONGEST_WEBHOOK_URL, webhookUrlFault } from './domain/webhook-url.js';
export { AddWebhookEndpoint } from './use-cases/add-webhook-endpoint.js';
export { ClientNotices } from './delivery/client-notices.js';
export { noticeEndpoint } from './domain/client-notice.js';
export type { WebhookMessage } from './domain/delivery.events.js';
export { ChangeWebhookEndpoint } from './use-cases/change-webhook-endpoint.js';
export { FanOut } from './use-cases/fan-out.js';
export { type DeliveryRecord, ListDeliveries } from './use-cases/list-deliveries.js';
export { type FailingEndpoint, ListFailingEndpoints } from './use-cases/list-failing-endpoints.js';
export { ListWebhookEndpoints } from './use-cases/list-webhook-endpoints.js';
export { PingWebhookEndpoint } from './use-cases/ping-webhook-endpoint.js';
export { RecoverDeliveries } from './use-cases/recover-deliveries.js';
export type { ReconcileDeliveries } from './use-cases/reconcile-deliveries.js';
export type { RequestLogouts } from './use-cases/request-logouts.js';
export { RemoveWebhookEndpoint } from './use-cases/remove-webhook-endpoint.js';
export { DeliveryNotFound, RetryDelivery } from './use-cases/retry-delivery.js';
export { RotateWebhookSecret } from './use-cases/rotate-webhook-secret.js';
export { TakeDeliveryRequest } from './use-cases/take-delivery-request.js';
export { deliveryRepositories, type DispatchParts, requestLogouts, webhookAdministration, webhookDispatch } from './webhook-use-cases.js';
export { type DeliveryEvent } from './domain/delivery.events.js';
export { type Delivery } from './domain/delivery.js';
export { deliveriesProjection } from './read-models/deliveries-projection.js';
export { DeliveryRows } from './read-models/delivery-rows.js';
export { DeliveryLog } from './delivery/delivery-log.js';
export { deliveryLogStream, WEBHOOK_STREAMS } from './streams.js';
export { EndpointShare } from './delivery/endpoint-share.js';
export { parseTypes } from './domain/listened-message.js';
export { type ListenerItem, ListenToSessions, type ListenTimes } from './use-cases/listen-to-sessions.js';
export { listening } from './listening/listening-use-cases.js';
