import type { DeviceId, IdentityId, Sealer } from '#kernel';
import type { Device } from '#domain/identity';
import { decideOnLast, lastEventOf, readLast, type StreamName, type Streams, StreamTombstoned, type UnitOfWork } from '#engines/event-store';

import { afterMiss, isSameSubscription, type KeptSubscription, type PushSubscription } from '../domain/push-subscription.js';
import { PUSH_SUBSCRIPTIONS, type PushSubscriptionsKept, pushSubscriptionsStream } from '../streams.js';

/** The subscriptions of a person by device. */
export type KeptSubscriptions = Readonly<Record<DeviceId, KeptSubscription>>;

const SUBSCRIPTIONS = lastEventOf<PushSubscriptionsKept>(PUSH_SUBSCRIPTIONS);

/** The streams `pushsubscriptions-*`. A stream shows its newest event only. */
export class PushSubscriptions {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly sealer: Sealer,
  ) {}

  /** Those by which pushes may reach the person. None for a person who is erased. */
  async of(identityId: IdentityId): Promise<KeptSubscriptions> {
    const stream = pushSubscriptionsStream(identityId);
    const kept = this.#opened((await readLast<PushSubscriptionsKept>(this.unitOfWork.store, stream)).last, stream);
    return Object.fromEntries(Object.entries(kept).filter(([, { lost }]) => !lost));
  }

  /**
   * Keeps one subscription for the device, in place of its earlier one; answers false for one that is {@link lose lost}. Does nothing for an erased
   * person. `first` runs within the work: what it throws refuses the subscription.
   */
  async keep(
    { identityId, deviceId }: Pick<Device, 'identityId' | 'deviceId'>,
    subscription: PushSubscription,
    first: (streams: Streams) => Promise<unknown>,
  ): Promise<boolean> {
    let isLost = false;
    await this.#change(identityId, async (kept, streams) => {
      await first(streams);
      const earlier = kept[deviceId];
      const isSame = isSameSubscription(earlier, subscription);
      isLost = isSame && earlier?.lost === true;
      return isSame ? kept : { ...kept, [deviceId]: subscription };
    });
    return !isLost;
  }

  /** Forgets the subscription of the device. May be repeated. */
  async remove(identityId: IdentityId, deviceId: DeviceId): Promise<void> {
    await this.#change(identityId, (kept) => {
      if (!kept[deviceId]) return kept;
      const { [deviceId]: _, ...others } = kept;
      return others;
    });
  }

  /** No push reaches the browser by this subscription any more. Does nothing when the device has another one meanwhile. May be repeated. */
  async lose(identityId: IdentityId, deviceId: DeviceId, subscription: PushSubscription): Promise<void> {
    await this.#replace(identityId, deviceId, subscription, (kept) => (kept.lost ? kept : { ...kept, lost: true }));
  }

  /** Counts a wake-up that the push service did not take in time; the third in a row loses the subscription. Answers whether it is lost. */
  async missed(identityId: IdentityId, deviceId: DeviceId, subscription: PushSubscription): Promise<boolean> {
    const after = await this.#replace(identityId, deviceId, subscription, (kept) => (kept.lost ? kept : afterMiss(kept)));
    return after?.lost === true;
  }

  /** The push service took a wake-up: earlier misses no longer count. */
  async reached(identityId: IdentityId, deviceId: DeviceId, subscription: KeptSubscription): Promise<void> {
    if (subscription.misses === undefined) return;
    await this.#replace(identityId, deviceId, subscription, ({ misses: _, ...kept }) => kept);
  }

  /** Erases them permanently. May be repeated. */
  async erase(identityId: IdentityId): Promise<void> {
    const stream = pushSubscriptionsStream(identityId);
    await PUSH_SUBSCRIPTIONS.tombstone(this.unitOfWork.store, stream);
    this.unitOfWork.forget(stream);
  }

  async #replace(
    identityId: IdentityId,
    deviceId: DeviceId,
    subscription: PushSubscription,
    change: (kept: KeptSubscription) => KeptSubscription,
  ): Promise<KeptSubscription | undefined> {
    let after: KeptSubscription | undefined;
    await this.#change(identityId, (kept) => {
      const before = kept[deviceId];
      after = before && isSameSubscription(before, subscription) ? change(before) : undefined;
      return after === undefined || after === before ? kept : { ...kept, [deviceId]: after };
    });
    return after;
  }

  async #change(
    identityId: IdentityId,
    change: (kept: KeptSubscriptions, streams: Streams) => KeptSubscriptions | Promise<KeptSubscriptions>,
  ): Promise<void> {
    const { store, clock } = this.unitOfWork;
    const stream = pushSubscriptionsStream(identityId);
    try {
      await decideOnLast(this.unitOfWork, { type: SUBSCRIPTIONS, stream }, async (last, streams): Promise<readonly PushSubscriptionsKept[]> => {
        const kept = this.#opened(last, stream);
        const changed = await change(kept, streams);
        if (changed === kept) return [];
        if (!last) await PUSH_SUBSCRIPTIONS.retain(store, stream);
        return [{ type: 'PushSubscriptionsKept', data: { at: clock.now(), sealed: this.sealer.seal(changed, stream) } }];
      });
    } catch (error) {
      if (!(error instanceof StreamTombstoned)) throw error;
    }
  }

  #opened(last: PushSubscriptionsKept | undefined, stream: StreamName): KeptSubscriptions {
    return last ? this.sealer.open<KeptSubscriptions>(last.data.sealed, stream) : {};
  }
}
