import type { EventStore } from '#engines/event-store';
import { type IdentityParts, identityUseCases } from '#domain/identity';
import type { JobQueue } from '#engines/job-queue';
import type { Clock, IdentityId, Sealer } from '#kernel';
import { GuardedPost, type PostOptions, type PostOutcome, ReachableNetworks } from '#domain/webhook';

import { PushSubscriptions } from './repositories/push-subscriptions.js';
import { SendWakeUp, type WakeUpOutcome } from './use-cases/send-wake-up.js';
import { SubscribeToPush } from './use-cases/subscribe-to-push.js';
import { WakeDevices } from './use-cases/wake-devices.js';
import type { VapidKeys } from './vapid-keys.js';

export interface PushParts {
  readonly eventStore: EventStore;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly settings: { readonly webhookAllowedNetworks: readonly string[] };
  /** Undefined: subscriptions are kept, and nothing is pushed. */
  readonly vapid: VapidKeys | undefined;
}

const subscriptionsOf = ({ eventStore, sealer, clock }: Omit<PushParts, 'vapid' | 'settings'>) => new PushSubscriptions(eventStore, sealer, clock);

/** The use cases of a phone. */
export const pushOfPhones = (parts: PushParts) => ({
  subscribeToPush: new SubscribeToPush(subscriptionsOf(parts), new ReachableNetworks(parts.settings.webhookAllowedNetworks), parts.vapid?.publicKey),
});

/** A step of a person's erasure. */
export const erasePushSubscriptions = (parts: Omit<PushParts, 'vapid' | 'settings'>) => {
  const subscriptions = subscriptionsOf(parts);
  return (identityId: IdentityId): Promise<void> => subscriptions.erase(identityId);
};

/** The use cases of the process that sends. `close` frees its connections. */
export const pushDispatch = (
  parts: PushParts & Omit<IdentityParts, 'settings'> & { readonly settings: IdentityParts['settings']; readonly jobQueue: JobQueue },
  vapid: VapidKeys,
  observe: (outcome: WakeUpOutcome, answer?: PostOutcome) => void,
  options: Omit<PostOptions, 'networks'> = {},
) => {
  const { clock, settings, jobQueue } = parts;
  const subscriptions = subscriptionsOf(parts);
  const post = new GuardedPost({ networks: new ReachableNetworks(settings.webhookAllowedNetworks), ...options });
  return {
    wakeDevices: new WakeDevices(subscriptions, jobQueue, clock),
    sendWakeUp: new SendWakeUp({ subscriptions, findDevice: identityUseCases(parts).findDevice, post, vapid, clock, observe }),
    close: () => post.close(),
  };
};
