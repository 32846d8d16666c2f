import type { ReadOptions, RecordedEvent } from '../event-store.js';
import { BEGIN, EXPIRED, linkOf, linkTo } from './event-macs.js';

/**
 * How streams of a category lose events. `truncated`: from their start. `aged`: by their age, which is judged by a clock that may go back, so that a
 * younger event can expire before an older one.
 */
export type Shortening = 'truncated' | 'aged';

/**
 * Whether each event follows the one before it, and the first one shown is the first that the read must show. Answers the revision of the event that
 * does not; undefined when all do.
 */
export const checkChain = (
  events: readonly RecordedEvent[],
  { direction = 'forwards', from }: ReadOptions,
  shortening: Shortening | undefined,
): number | undefined => {
  const ascending = direction === 'forwards' ? events : events.toReversed();
  const [first] = ascending;
  if (!first) return undefined;
  if (direction === 'forwards' && !shortening && first.revision !== (from ?? 0)) return first.revision;
  if (first.revision === 0 && !beginsStream(first)) return 0;
  for (let index = 1; index < ascending.length; index++) {
    const [before, event] = [ascending[index - 1] as RecordedEvent, ascending[index] as RecordedEvent];
    if (!follows(before, event, shortening)) return event.revision;
  }
  return undefined;
};

const beginsStream = (event: RecordedEvent): boolean => linkOf(event) === BEGIN;

const follows = (before: RecordedEvent, event: RecordedEvent, shortening: Shortening | undefined): boolean => {
  if (event.position <= before.position) return false;
  if (event.revision !== before.revision + 1) return shortening === 'aged' && event.revision > before.revision;
  const link = linkOf(event);
  return link !== undefined && (link === linkTo(before) || link === EXPIRED);
};
