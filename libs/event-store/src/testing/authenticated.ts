import { Secret, StaticKeyRing } from '#kernel';

import { type AuthenticationOptions, AuthenticatedEventStore } from '../authentication/authenticated-event-store.js';
import { EventMacs } from '../authentication/event-macs.js';
import type { EventStore } from '../event-store.js';

export const EVENT_RING = new StaticKeyRing([{ id: 'event', key: new Secret(Buffer.alloc(32, 'event')) }]);

/** The store behind MACs under a key of the tests, in the environment `test`. */
export const authenticated = (store: EventStore, options: Partial<AuthenticationOptions> = {}): AuthenticatedEventStore =>
  new AuthenticatedEventStore(store, { macs: new EventMacs(EVENT_RING, 'test'), shortened: () => undefined, refused: () => undefined, ...options });
