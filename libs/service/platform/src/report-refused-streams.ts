import { categoryOf, type StreamRefused } from '#engines/event-store';
import type { Log, Metrics } from '#telemetry';

/** Milliseconds between two lines about one stream: each poll of a session reads its stream. */
const NAMED_EACH = 60_000;
/** Streams whose last line is remembered. */
const REMEMBERED = 1_000;

/** Counts each refusal, and names the stream in the log, once a minute. */
export const reportRefusedStreams = ({ log, metrics }: { readonly log: Log; readonly metrics: Metrics }): ((refusal: StreamRefused) => void) => {
  const namedAt = new Map<string, number>();
  return ({ stream, because, reason }) => {
    metrics.refusedEvents.inc({ category: categoryOf(stream), reason: because });
    const now = performance.now();
    if (now - (namedAt.get(stream) ?? -Infinity) < NAMED_EACH) return;
    if (namedAt.size >= REMEMBERED) namedAt.clear();
    namedAt.set(stream, now);
    log.error('a stream is refused: an event in it has no valid MAC', { component: 'event-store', reason });
  };
};
