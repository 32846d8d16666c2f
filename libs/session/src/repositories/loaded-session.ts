import type { Loaded } from '#event-store';

import type { Session } from '../domain/session.js';
import type { SessionEvent } from '../domain/session.events.js';

/** A session's stream as it was read. */
export type LoadedSession = Loaded<Session, SessionEvent>;
