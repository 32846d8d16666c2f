import type { EventStore, StreamName } from '#engines/event-store';

import type { Guarded } from './checkpoint-writer.js';

/** The guarded streams of which the store still shows an event to subscribers. Throws the reason of the signal. */
export const guardedStreams = async (
  { store, guarded }: { readonly store: EventStore; readonly guarded: Guarded },
  signal: AbortSignal,
): Promise<ReadonlySet<StreamName>> => {
  const enough = new AbortController();
  const names = new Set<StreamName>();
  try {
    for await (const item of store.subscribe({ categories: guarded.categories, signal: AbortSignal.any([signal, enough.signal]) })) {
      if (item === 'caught-up') break;
      names.add(item.stream);
    }
  } finally {
    enough.abort();
  }
  signal.throwIfAborted();
  return names;
};
