import { CheckpointWriter, HistoryRefused, NoteRefused, PlaceUnavailable } from '#engines/transparency-log';

import { ServiceUnavailable } from '#kernel';

import { anchorsOf } from './anchors.js';
import type { PlatformParts } from './platform-parts.js';
import { GUARDED_EVENTS } from './streams.js';
import type { UseCases } from './use-cases.js';

interface Parts extends Pick<PlatformParts, 'settings' | 'eventStore' | 'clock' | 'keys' | 'log' | 'metrics' | 'egress'> {
  readonly useCases: Pick<UseCases, 'administration'>;
}

/** Writes the checkpoints of the store. A failure goes to the log, and the next call tries again. */
export type Checkpoints = Pick<CheckpointWriter, 'write'>;

/** Undefined where no setting names a place for checkpoints. */
export const openCheckpointWriter = (parts: Parts): Checkpoints | undefined => {
  const { eventStore: store, clock, log, metrics, useCases } = parts;
  const anchors = anchorsOf(parts);
  if (!anchors) return undefined;
  const tell = onceAMinute(parts);
  const writer = new CheckpointWriter({
    store,
    clock,
    ...anchors,
    guarded: GUARDED_EVENTS,
    extensions: () => useCases.administration().securityLines(),
    published: (place, size) => {
      metrics.history.leaves.set({ place }, size);
      metrics.history.checkpoints.inc({ place });
    },
    unpublished: (place, reason) => {
      metrics.history.checkpointFailures.inc({ place });
      tell('a checkpoint of the history was not published', reason);
    },
  });
  const write = async (signal: AbortSignal): Promise<void> => {
    try {
      await writer.write(signal);
    } catch (error) {
      if (signal.aborted || error instanceof ServiceUnavailable || error instanceof PlaceUnavailable) return;
      if (error instanceof HistoryRefused || error instanceof NoteRefused) tell('no checkpoint of the history is made', error.message);
      else log.error('no checkpoint of the history is made', { component: 'history', error });
    }
  };
  return { write };
};

/** Milliseconds between two lines that say the same: a writer tries again each few seconds. */
const TOLD_EACH = 60_000;

const onceAMinute = ({ clock, log }: Parts): ((message: string, reason: string) => void) => {
  const told = new Map<string, number>();
  return (message, reason) => {
    const now = clock.monotonic();
    if (now - (told.get(reason) ?? -Infinity) < TOLD_EACH) return;
    told.clear();
    told.set(reason, now);
    log.error(message, { component: 'history', reason });
  };
};
