import type { EnrolmentProof, FindDevice } from '#domain/identity';
import type { JobQueue } from '#engines/job-queue';
import type { Clock } from '#kernel';
import type { Log, Metrics } from '#telemetry';
import type { GuardedPost, ReachableNetworks } from '#domain/webhook';

import { wakeUpTelemetry } from './delivery/wake-up-telemetry.js';
import type { PushSubscriptions } from './repositories/push-subscriptions.js';
import { SendWakeUp, type WakeUpObserver } from './use-cases/send-wake-up.js';
import { SubscribeToPush } from './use-cases/subscribe-to-push.js';
import { WakeDevices } from './use-cases/wake-devices.js';
import type { VapidKeys } from './vapid-keys.js';

interface WithSubscriptions {
  readonly subscriptions: PushSubscriptions;
}

/** The use cases of a phone. Without `vapid`, subscriptions are kept, and nothing is pushed. */
export const pushOfPhones = ({
  subscriptions,
  networks,
  enrolmentProof,
  vapid,
}: WithSubscriptions & {
  readonly networks: ReachableNetworks;
  readonly enrolmentProof: Pick<EnrolmentProof, 'present'>;
  readonly vapid: VapidKeys | undefined;
}) => ({
  subscribeToPush: new SubscribeToPush(subscriptions, networks, enrolmentProof, vapid?.publicKey),
});

export interface PushDispatchParts extends WithSubscriptions {
  readonly vapid: VapidKeys;
  readonly jobQueue: JobQueue;
  readonly findDevice: FindDevice;
  readonly post: GuardedPost;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** The use cases of the process that sends. */
export const pushDispatch = (parts: PushDispatchParts, observe: WakeUpObserver = wakeUpTelemetry(parts)) => ({
  wakeDevices: new WakeDevices(parts.subscriptions, parts.jobQueue, parts.clock),
  sendWakeUp: new SendWakeUp({ ...parts, observe }),
});
