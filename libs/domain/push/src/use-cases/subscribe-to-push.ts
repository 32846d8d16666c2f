import { isIP } from 'node:net';

import { InvalidRequest, isPublicName } from '#kernel';
import type { Device, EnrolmentProof } from '#domain/identity';
import { type ReachableNetworks, webhookUrlFault } from '#domain/webhook';

import { checkPushKeys, type PushSubscription } from '../domain/push-subscription.js';
import type { PushSubscriptions } from '../repositories/push-subscriptions.js';

/** The pushes of one device (specification/app.md#push-subscription). */
export class SubscribeToPush {
  constructor(
    private readonly subscriptions: PushSubscriptions,
    private readonly networks: ReachableNetworks,
    private readonly enrolmentProof: Pick<EnrolmentProof, 'present'>,
    /** Of the service's VAPID keys. Undefined: nothing is pushed. */
    readonly publicKey: string | undefined,
  ) {}

  /**
   * Keeps the subscription for this device, in place of an earlier one. Throws InvalidRequest for an address that must not be reached or cannot exist, for
   * broken keys, and for a subscription that its push service has ended; DeviceNotFound for a device that was revoked since its request was proven.
   */
  async execute(device: Device, subscription: PushSubscription): Promise<void> {
    const fault = webhookUrlFault(subscription.endpoint, this.networks) ?? nameFault(subscription.endpoint);
    if (fault) throw new InvalidRequest(`\`endpoint\` ${fault}.`);
    checkPushKeys(subscription);
    if (!(await this.subscriptions.keep(device, subscription, (streams) => this.enrolmentProof.present(streams, device))))
      throw new InvalidRequest('`endpoint` no longer takes pushes: end this subscription in the browser and subscribe again.');
  }

  /** Whether the device has a subscription. */
  async has({ identityId, deviceId }: Device): Promise<boolean> {
    return (await this.subscriptions.of(identityId))[deviceId] !== undefined;
  }

  /** Forgets the device's subscription. May be repeated. */
  async end({ identityId, deviceId }: Device): Promise<void> {
    await this.subscriptions.remove(identityId, deviceId);
  }
}

/** RFC 6761 and others keep some names for use inside a network or for none: no push service has them. */
const nameFault = (endpoint: string): string | undefined => {
  const { hostname } = new URL(endpoint);
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || isPublicName(hostname) ? undefined : 'must name a public host';
};
