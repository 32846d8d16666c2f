import { DeclaredStreams, type StoredPlace } from '#engines/event-store';
import { type DomainEvent, type JsonObject, knownEvents } from '#kernel';

import type { DeadLetter } from '../message-bus.js';

/**
 * The event of the streams `busoffset-<topic>.<group>`: the last event that the group has processed, and marks of the store before it, `[position, id]`. Positions are decimal. A restored
 * copy of the store may have another event at the position, or none.
 */
export type OffsetCommitted = DomainEvent<'OffsetCommitted', StoredPlace>;

/** A letter as it is stored. The message and its source are interfaces, which TypeScript takes for no JSON object: hence the casts of both ways. */
export type MessageGivenUp = DomainEvent<
  'MessageGivenUp',
  Omit<DeadLetter, 'message' | 'source' | 'redriven'> & { message?: JsonObject; source?: JsonObject }
>;

/** An operator hands the letters up to that revision to their group again. */
export type LettersRedriven = DomainEvent<'LettersRedriven', { readonly through: number; readonly at: number }>;

export const BUS_OFFSETS = new DeclaredStreams({
  category: 'busoffset',
  owner: 'libs/engines/message-bus',
  ids: ['<topic>.<group>'],
  events: knownEvents<OffsetCommitted>(1, { OffsetCommitted: true }),
  retention: { maxCount: 1 },
  unmarked: true,
  staysBehind: true,
  sealed: false,
  guarded: [],
});

export const DEAD_LETTERS = new DeclaredStreams({
  category: 'deadletter',
  owner: 'libs/engines/message-bus',
  ids: ['<topic>.<group>'],
  events: knownEvents<MessageGivenUp | LettersRedriven>(1, { MessageGivenUp: true, LettersRedriven: true }),
  // Thirty days.
  retention: { maxAge: 2_592_000 },
  unmarked: true,
  staysBehind: true,
  sealed: false,
  guarded: [],
});

export const BUS_STREAMS = [BUS_OFFSETS, DEAD_LETTERS];
