export { GATE_LIMITS, NotNow } from './delivery/endpoint-gate.js';
export { type AttemptPayload, WEBHOOK_QUEUE } from './delivery/webhook-jobs.js';
export type { AttemptOutcome, DeliveryEnd } from './domain/delivery.events.js';
export type { AttemptDelivery, DeliveryObserver } from './use-cases/attempt-delivery.js';
export { EndpointHealth } from './use-cases/endpoint-health.js';
export { FanOut } from './use-cases/fan-out.js';
export { type DeliveryRecord, ListDeliveries } from './use-cases/list-deliveries.js';
export { PingWebhookEndpoint } from './use-cases/ping-webhook-endpoint.js';
export { RecoverDeliveries } from './use-cases/recover-deliveries.js';
export type { ReconcileDeliveries } from './use-cases/reconcile-deliveries.js';
export { DeliveryNotFound, RetryDelivery } from './use-cases/retry-delivery.js';
export {
  AddWebhookEndpoint,
  ChangeWebhookEndpoint,
  ListWebhookEndpoints,
  RemoveWebhookEndpoint,
  RotateWebhookSecret,
} from './use-cases/webhook-endpoint-use-cases.js';
export { webhookAdministration, webhookDispatch, type WebhookParts } from './webhook-use-cases.js';
