import type { Clock, DeviceId, DomainEvent, IdentityId, Sealer } from '#kernel';
import { decideAndAppend, type EventStore, readLast, type StreamName, streamName, StreamTombstoned } from '#engines/event-store';

import type { PushSubscription } from '../domain/push-subscription.js';

/** The subscriptions of a person by device. */
export type KeptSubscriptions = Readonly<Record<DeviceId, PushSubscription>>;

/** The event of the stream `pushsubscriptions-<identityId>`: all of the person's subscriptions, sealed, since an address names a browser. */
type PushSubscriptionsKept = DomainEvent<'PushSubscriptionsKept', { readonly at: number; readonly sealed: string }>;

export const pushSubscriptionsStream = (identityId: IdentityId): StreamName => streamName('pushsubscriptions', identityId);

/** The streams `pushsubscriptions-*`. A stream shows its newest event only. */
export class PushSubscriptions {
  constructor(
    private readonly store: EventStore,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  /** None for a person who is erased. */
  async of(identityId: IdentityId): Promise<KeptSubscriptions> {
    return (await this.#load(identityId)).kept;
  }

  /** Keeps one subscription for the device, in place of its earlier one. Does nothing for an erased person. */
  async keep(identityId: IdentityId, deviceId: DeviceId, subscription: PushSubscription): Promise<void> {
    await this.#change(identityId, (kept) => (isSame(kept[deviceId], subscription) ? kept : { ...kept, [deviceId]: subscription }));
  }

  /** Forgets the subscription of the device; with `only`, if it is that one still. May be repeated. */
  async remove(identityId: IdentityId, deviceId: DeviceId, only?: PushSubscription): Promise<void> {
    await this.#change(identityId, (kept) => {
      if (!kept[deviceId] || (only && !isSame(kept[deviceId], only))) return kept;
      const { [deviceId]: _, ...others } = kept;
      return others;
    });
  }

  /** Erases them permanently. May be repeated. */
  async erase(identityId: IdentityId): Promise<void> {
    await this.store.tombstone(pushSubscriptionsStream(identityId));
  }

  async #change(identityId: IdentityId, change: (kept: KeptSubscriptions) => KeptSubscriptions): Promise<void> {
    const { store, clock } = this;
    const stream = pushSubscriptionsStream(identityId);
    try {
      await decideAndAppend({ store, clock }, stream, {
        load: () => this.#load(identityId),
        decide: async ({ kept, isNew }): Promise<PushSubscriptionsKept[]> => {
          const changed = change(kept);
          if (changed === kept) return [];
          if (isNew) await store.setRetention(stream, { maxCount: 1 });
          return [{ type: 'PushSubscriptionsKept', data: { at: clock.now(), sealed: this.sealer.seal(changed, stream) } }];
        },
      });
    } catch (error) {
      if (!(error instanceof StreamTombstoned)) throw error;
    }
  }

  async #load(identityId: IdentityId) {
    const stream = pushSubscriptionsStream(identityId);
    const { last, revision } = await readLast<PushSubscriptionsKept>(this.store, stream);
    const kept: KeptSubscriptions = last ? this.sealer.open<KeptSubscriptions>(last.data.sealed, stream) : {};
    return { kept, isNew: last === undefined, revision };
  }
}

const isSame = (one: PushSubscription | undefined, other: PushSubscription): boolean =>
  one?.endpoint === other.endpoint && one.p256dh === other.p256dh && one.auth === other.auth;
