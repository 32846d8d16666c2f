import { type ClientId, type DomainEvent, knownEvents } from '#kernel';
import { DeclaredStreams, type StreamName, type StreamType } from '#engines/event-store';

import type { ClientLogoEvent } from './domain/client-logo.js';
import { CLIENT_EVENTS, type ClientEvent } from './domain/client.events.js';
import type { ClientCommand } from './domain/client.commands.js';
import { clientDecider } from './domain/client.decider.js';
import type { ClientState } from './domain/client.js';

const owner = 'libs/domain/relying-party';

const CLIENT_STREAMS = new DeclaredStreams({
  category: 'client',
  owner,
  ids: ['<clientId>'],
  events: CLIENT_EVENTS,
  queue: 4,
  sealed: true,
  guarded: [...CLIENT_EVENTS.types],
});
export const CLIENTS: StreamType<ClientState, ClientCommand, ClientEvent> = {
  category: CLIENT_STREAMS.category,
  decider: clientDecider,
  grows: true,
};
export const clientStream = (clientId: ClientId): StreamName => CLIENT_STREAMS.of(clientId);

/** The events of the stream `clientname-<keyed hash>`, of a name or of its looks. */
export type NameEvent =
  DomainEvent<'NameReserved', { readonly at: number; readonly clientId: ClientId }> | DomainEvent<'NameFreed', { readonly at: number }>;

export const CLIENT_NAMES = new DeclaredStreams({
  category: 'clientname',
  owner,
  ids: ['<keyed hash>'],
  events: knownEvents<NameEvent>(1, { NameReserved: true, NameFreed: true }),
  sealed: false,
  guarded: [],
});

/** All but the newest event is truncated, which holds every picture that is left. */
export const CLIENT_LOGOS = new DeclaredStreams({
  category: 'clientlogo',
  owner,
  ids: ['<clientId>'],
  events: knownEvents<ClientLogoEvent>(1, { LogoUploaded: true, LogoApproved: true, LogoRemoved: true }),
  retention: { truncatedBefore: ['LogoUploaded', 'LogoApproved', 'LogoRemoved'] },
  sealed: false,
  guarded: [],
});

export const RELYING_PARTY_STREAMS = [CLIENT_STREAMS, CLIENT_NAMES, CLIENT_LOGOS];
