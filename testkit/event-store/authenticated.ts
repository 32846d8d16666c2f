import { Secret, StaticKeyRing } from '#kernel';

import { type AuthenticationOptions, AuthenticatedEventStore } from '#engines/event-store';
import { EventMacs } from '#engines/event-store';
import type { EventStore } from '#engines/event-store';

export const EVENT_RING = new StaticKeyRing([{ id: 'event', key: new Secret(Buffer.alloc(32, 'event')) }]);

/** The store behind MACs under a key of the tests, in the environment `test`. */
export const authenticated = (store: EventStore, options: Partial<AuthenticationOptions> = {}): AuthenticatedEventStore =>
  new AuthenticatedEventStore(store, { macs: new EventMacs(EVENT_RING, 'test'), shortened: () => undefined, refused: () => undefined, ...options });
