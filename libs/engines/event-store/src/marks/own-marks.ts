import { StreamRefused } from '../authentication/stream-refused.js';
import type { EventStore, RecordedEvent } from '../event-store.js';
import { firstWithout } from './stored-of.js';
import { MARK_STREAM, type MarkEvent } from './streams.js';

export interface OwnMarks {
  /** Newest first. */
  readonly events: readonly RecordedEvent<MarkEvent>[];
  /** Another party has appended to the stream. It takes nothing more then. */
  readonly refused?: StreamRefused;
}

/**
 * The last events that the service itself has written to the stream of marks. It appends to nothing that is refused, so these are the events before the first one
 * of another party, and every process finds the same ones.
 */
export const ownMarks = async (store: EventStore, limit: number): Promise<OwnMarks> => {
  const read = (from?: number): Promise<readonly RecordedEvent<MarkEvent>[]> =>
    store.read<MarkEvent>(MARK_STREAM, { direction: 'backwards', limit, ...(from !== undefined && { from }) });
  try {
    return { events: await read() };
  } catch (error) {
    if (!(error instanceof StreamRefused)) throw error;
    const own = await firstWithout(error.revision, (revision) => isOwn(store, revision));
    return { events: own === 0 ? [] : await unlessRefused(read(own - 1), []), refused: error };
  }
};

const isOwn = (store: EventStore, from: number): Promise<boolean> =>
  unlessRefused(
    store.read(MARK_STREAM, { from, limit: 1 }).then(({ length }) => length === 1),
    false,
  );

const unlessRefused = <Result>(read: Promise<Result>, otherwise: Result): Promise<Result> =>
  read.catch((error: unknown) => {
    if (!(error instanceof StreamRefused)) throw error;
    return otherwise;
  });
