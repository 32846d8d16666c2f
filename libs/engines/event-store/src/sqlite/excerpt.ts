import type { ReadOptions, RecordedEvent } from '../event-store.js';

/** The result of a read with these options when the stream holds exactly these events, without a gap between them. */
export const excerpt = (
  events: readonly RecordedEvent[],
  { direction = 'forwards', from, limit = Infinity }: ReadOptions,
): readonly RecordedEvent[] => {
  const first = events[0]?.revision ?? 0;
  if (direction === 'forwards') {
    const begin = Math.max(0, (from ?? first) - first);
    return events.slice(begin, begin + limit);
  }
  const last = first + events.length - 1;
  if (from !== undefined && (from > last || from < first)) return [];
  const end = (from ?? last) - first + 1;
  return events.slice(Math.max(0, end - limit), end).reverse();
};
