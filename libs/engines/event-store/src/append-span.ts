import type { NewSpan } from '#kernel';

import { categoryOf, idOf, type StreamAppend, type StreamName } from './event-store.js';

/** The only category of streams whose ids may appear in logs and traces. */
const SESSION = 'session';

/** The span of an append to one or several streams. It holds the types of the events, never their content. */
export const appendSpan = (appends: readonly Pick<StreamAppend, 'stream' | 'events'>[]): NewSpan => ({
  name: `append ${appends.map(({ stream }) => categoryOf(stream)).join(' ')}`,
  kind: 'client',
  attributes: {
    ...Object.fromEntries(appends.flatMap(({ stream }) => Object.entries(streamAttributes(stream)))),
    'countersign.events': [...new Set(appends.flatMap(({ events }) => events.map(({ type }) => type)))].join(' '),
  },
});

/** The part of a stream's name that a trace may hold: the id of a session, and only the category of every other stream. */
export const streamAttributes = (stream: StreamName): Readonly<Record<string, string>> =>
  categoryOf(stream) === SESSION ? { 'countersign.session_id': idOf(stream) } : {};
