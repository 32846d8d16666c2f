import { type StreamName, streamName } from '#engines/event-store';

/** The streams whose loss the service notices by itself: they keep all their events for ever, and no code erases them. */
export const GUARDED_STREAMS: ReadonlySet<StreamName> = new Set([streamName('audit', 'log')]);
