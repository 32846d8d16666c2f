import type { ClientId } from '#kernel';
import { type StreamName, streamName } from '#event-store';

export const clientStream = (clientId: ClientId): StreamName => streamName('client', clientId);
