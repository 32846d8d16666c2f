import { type KeyRing, Secret } from '#kernel';
import { StaticKeyRing } from '../kernel/static-key-ring.js';

import { type AuthenticationOptions, AuthenticatedEventStore } from '#engines/event-store';
import { EventMacs } from '#engines/event-store';
import type { EventStore } from '#engines/event-store';

export const EVENT_RING = new StaticKeyRing([{ id: 'event', key: new Secret(Buffer.alloc(32, 'event')) }]);

/** Under a key of the tests, in the environment `test`, over the metadata that they write. */
export const eventMacs = (ring: KeyRing = EVENT_RING): EventMacs => new EventMacs(ring, 'test', ['status', 'note']);

/** The store behind these MACs. */
export const authenticated = (store: EventStore, options: Partial<AuthenticationOptions> = {}): AuthenticatedEventStore =>
  new AuthenticatedEventStore(store, { macs: eventMacs(), shortened: () => undefined, refused: () => undefined, ...options });
