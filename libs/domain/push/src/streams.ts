import { type DomainEvent, type IdentityId, knownEvents } from '#kernel';
import { DeclaredStreams, type StreamName } from '#engines/event-store';

/** All of the person's subscriptions, sealed, since an address names a browser. */
export type PushSubscriptionsKept = DomainEvent<'PushSubscriptionsKept', { readonly at: number; readonly sealed: string }>;

export const PUSH_SUBSCRIPTIONS = new DeclaredStreams({
  category: 'pushsubscriptions',
  owner: 'libs/domain/push',
  ids: ['<identityId>'],
  events: knownEvents<PushSubscriptionsKept>(1, { PushSubscriptionsKept: true }),
  retention: { maxCount: 1, tombstoned: 'by the erasure of the person' },
  sealed: true,
  guarded: [],
});
export const pushSubscriptionsStream = (identityId: IdentityId): StreamName => PUSH_SUBSCRIPTIONS.of(identityId);

export const PUSH_STREAMS = [PUSH_SUBSCRIPTIONS];
