import { isKnown, type RecordedEvent } from '#engines/event-store';
import type { Stored } from '#kernel';

import { PORTAL_SESSION_EVENTS, type PortalSessionEvent } from '../streams.js';

/** The last event of a session of the portal that is not over. */
export type LivePortalSession = Stored<Exclude<PortalSessionEvent, { type: 'PortalSessionEnded' }>>;

/** Undefined for a session that is over, or that a newer release may have ended. `now`, `idle`: milliseconds. */
export const liveSession = (last: Stored<PortalSessionEvent>, now: number, idle: number): LivePortalSession | undefined => {
  if (!isKnown(PORTAL_SESSION_EVENTS, last as RecordedEvent<PortalSessionEvent>) || last.type === 'PortalSessionEnded') return undefined;
  return now < last.data.expiresAt && now < last.data.at + idle ? last : undefined;
};
