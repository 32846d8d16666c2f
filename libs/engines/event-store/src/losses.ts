import { type DomainEvent, knownEvents } from '#kernel';

import { DeclaredStreams } from './declared-streams.js';

/** The service has tombstoned a stream of the category. Its name is known by the hash of it, of which the stream of this event has the beginning. */
export type LossNoted = DomainEvent<'LossNoted', { readonly category: string }>;

/** The losses of guarded events that the service itself has caused. */
export const LOSSES = new DeclaredStreams({
  category: 'loss',
  owner: 'libs/engines/event-store',
  ids: ['<hash of a name>'],
  events: knownEvents<LossNoted>(1, { LossNoted: true }),
  sealed: false,
  guarded: ['LossNoted'],
});
