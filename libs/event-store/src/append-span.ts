import type { NewSpan } from '#kernel';

import { categoryOf, idOf, type StreamAppend, type StreamName } from './event-store.js';

/** The category of the streams whose ids stand in logs and traces. */
const SESSION = 'session';

/** The span of an append to one or several streams: types of events, never their content. */
export const appendSpan = (appends: readonly Pick<StreamAppend, 'stream' | 'events'>[]): NewSpan => ({
  name: `append ${appends.map(({ stream }) => categoryOf(stream)).join(' ')}`,
  kind: 'client',
  attributes: {
    ...Object.fromEntries(appends.flatMap(({ stream }) => Object.entries(streamAttributes(stream)))),
    'countersign.events': [...new Set(appends.flatMap(({ events }) => events.map(({ type }) => type)))].join(' '),
  },
});

/** The part of a stream's name that a trace may hold: of all streams only a session is named. */
export const streamAttributes = (stream: StreamName): Readonly<Record<string, string>> =>
  categoryOf(stream) === SESSION ? { 'countersign.session_id': idOf(stream) } : {};
