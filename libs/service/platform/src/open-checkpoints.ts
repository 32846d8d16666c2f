import { CheckpointWriter, HistoryRefused, NoteRefused, PlaceUnavailable, StampWriter } from '#engines/transparency-log';

import { ServiceUnavailable } from '#kernel';

import { type Anchors, anchorsOf } from './anchors.js';
import type { PlatformParts } from './platform-parts.js';
import { GUARDED_EVENTS, GUARDED_HEADS } from './streams.js';
import type { UseCases } from './use-cases.js';

interface Parts extends Pick<PlatformParts, 'settings' | 'eventStore' | 'clock' | 'keys' | 'log' | 'metrics' | 'egress' | 'checkpointStamper'> {
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
    heads: GUARDED_HEADS,
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
  const stamps = stampsOf(parts, anchors, tell);
  const write = async (signal: AbortSignal): Promise<void> => {
    try {
      await writer.write(signal);
      // Not awaited: an authority may be slow, and checkpoints must not be late.
      void stamps?.write().catch((error: unknown) => log.error('no checkpoint gets a time-stamp', { component: 'history', error }));
    } catch (error) {
      if (signal.aborted || error instanceof ServiceUnavailable || error instanceof PlaceUnavailable) return;
      if (error instanceof HistoryRefused || error instanceof NoteRefused) tell('no checkpoint of the history is made', error.message);
      else log.error('no checkpoint of the history is made', { component: 'history', error });
    }
  };
  return { write };
};

type Tell = (message: string, reason: string) => void;

/** The time-stamps are one place more: an authority that fails raises the same alarm. */
const stampsOf = ({ checkpointStamper: stamper, clock, metrics }: Parts, { logs }: Anchors, tell: Tell): StampWriter | undefined => {
  const place = 'TSA_URLS';
  return (
    stamper &&
    new StampWriter({
      logs,
      stamper,
      clock,
      stamped: (size) => {
        metrics.history.leaves.set({ place }, size);
        metrics.history.checkpoints.inc({ place });
      },
      failed: (reason) => {
        metrics.history.checkpointFailures.inc({ place });
        tell('a checkpoint of the history got no time-stamp', reason);
      },
    })
  );
};

/** Milliseconds between two lines that say the same: a writer tries again each few seconds. */
const TOLD_EACH = 60_000;

const onceAMinute = ({ clock, log }: Parts): Tell => {
  const told = new Map<string, number>();
  return (message, reason) => {
    const now = clock.monotonic();
    if (now - (told.get(reason) ?? -Infinity) < TOLD_EACH) return;
    told.clear();
    told.set(reason, now);
    log.error(message, { component: 'history', reason });
  };
};
