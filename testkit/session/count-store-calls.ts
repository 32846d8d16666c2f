import type { EventStore } from '#engines/event-store';

type Counted = 'read' | 'append' | 'tombstone';

/**
 * Counts the calls of the store from now on. The caller may set the counts back.
 *
 * @returns the counts, and a `read` that is not counted
 */
export const countStoreCalls = (store: EventStore) => {
  const counts: Record<Counted, number> = { read: 0, append: 0, tombstone: 0 };
  const { read, append, tombstone } = { read: store.read.bind(store), append: store.append.bind(store), tombstone: store.tombstone.bind(store) };
  store.read = (...args) => ((counts.read += 1), read(...args)) as never;
  store.append = (...args) => ((counts.append += 1), append(...args));
  store.tombstone = (...args) => ((counts.tombstone += 1), tombstone(...args));
  return { counts, read };
};
