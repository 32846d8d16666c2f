import type { ClientId } from '#kernel';
import { type StreamName, streamName, type StreamType } from '#engines/event-store';

import type { ClientState } from '../domain/client.js';
import type { ClientCommand } from '../domain/client.commands.js';
import { clientDecider } from '../domain/client.decider.js';
import type { ClientEvent } from '../domain/client.events.js';

/** The streams `client-*`. */
export const CLIENTS: StreamType<ClientState, ClientCommand, ClientEvent> = { category: 'client', decider: clientDecider };

export const clientStream = (clientId: ClientId): StreamName => streamName(CLIENTS.category, clientId);
