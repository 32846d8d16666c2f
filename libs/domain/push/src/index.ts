export { PushSubscriptions } from './repositories/push-subscriptions.js';
export { PUSH_STREAMS, pushSubscriptionsStream } from './streams.js';
export { WAKE_UP_QUEUE, type WakeUpPayload } from './delivery/wake-up-jobs.js';
export { pushDispatch, pushOfPhones } from './push-use-cases.js';
export { SubscribeToPush } from './use-cases/subscribe-to-push.js';
export type { ReasonToWake } from './use-cases/wake-devices.js';
export type { VapidKeys } from './vapid-keys.js';
