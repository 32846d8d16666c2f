import { categoryOf, type EventStore } from '#engines/event-store';
import type { Log, Metrics } from '#telemetry';

/** Event types that are named in the log, each once. */
const NAMED = 100;

/** Counts the stored events that only a newer release knows each time a reader meets one, and names each type once in the log. */
export const reportNewerEvents = (eventStore: EventStore, { log, metrics }: { readonly log: Log; readonly metrics: Metrics }): void => {
  const named = new Set<string>();
  eventStore.onNewerEvent = ({ stream, type, metadata }) => {
    const category = categoryOf(stream);
    metrics.newerEvents.inc({ category });
    const name = `${category} ${type} ${metadata?.v ?? 1}`;
    if (named.has(name) || named.size >= NAMED) return;
    named.add(name);
    const reason = `${type} of version ${metadata?.v ?? 1} in ${category}-*`;
    log.error('a newer release has stored events that this one does not know: upgrade every service', { component: 'event-store', reason });
  };
};
