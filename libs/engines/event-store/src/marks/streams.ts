import { type DomainEvent, knownEvents } from '#kernel';

import { DeclaredStreams } from '../declared-streams.js';
import type { RecordedEvent } from '../event-store.js';

/** `at`: epoch milliseconds. `history`: the id of the last RestorationNoted before, empty where there is none. */
export type Marked = DomainEvent<'Marked', { readonly at: number; readonly history: string }>;

/** The store turned out to be an older copy. Its history has this event's id from now on. */
export type RestorationNoted = DomainEvent<'RestorationNoted', { readonly at: number }>;

export type MarkEvent = Marked | RestorationNoted;

/** The one stream whose events readers keep, to recognise the store by. It is never shortened: an event that it lacks was lost with the whole end of the store. */
export const MARKS = new DeclaredStreams({
  category: 'mark',
  owner: 'libs/engines/event-store',
  ids: ['store'],
  events: knownEvents<MarkEvent>(1, { Marked: true, RestorationNoted: true }),
  unmarked: true,
  sealed: false,
  guarded: [],
});

export const MARK_STREAM = MARKS.of('store');

export const isMark = ({ stream }: Pick<RecordedEvent, 'stream'>): boolean => stream === MARK_STREAM;
