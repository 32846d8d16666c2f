import {
  CheckpointWriter,
  FolderPlace,
  HistoryRefused,
  NoteRefused,
  noteSigner,
  type NoteVerifier,
  PlaceUnavailable,
  PublishedLog,
} from '#engines/transparency-log';

import { ServiceUnavailable } from '#kernel';

import type { PlatformParts } from './platform-parts.js';
import { GUARDED_EVENTS } from './streams.js';

type Parts = Pick<PlatformParts, 'settings' | 'eventStore' | 'clock' | 'keys' | 'log' | 'metrics'>;

/** The log of this environment, and the name under which its checkpoints are signed (C2SP tlog-checkpoint). */
const originOf = ({ settings }: Parts): string => `countersign/${settings.environment}`;

/** The places where checkpoints lie; none where no setting names one. */
const logsOf = (parts: Parts): readonly PublishedLog[] => {
  const { settings, keys } = parts;
  const origin = originOf(parts);
  const verifiers = (): readonly NoteVerifier[] => keys.checkpoint.all().map(({ key }) => noteSigner(origin, key).verifier);
  const places = settings.anchorDirectory === undefined ? [] : [new FolderPlace('ANCHOR_DIR', settings.anchorDirectory)];
  return places.map((place) => new PublishedLog(place, origin, verifiers));
};

/** Writes the checkpoints of the store. A failure goes to the log, and the next call tries again. */
export type Checkpoints = Pick<CheckpointWriter, 'write'>;

/** Undefined where no setting names a place for checkpoints. */
export const openCheckpointWriter = (parts: Parts): Checkpoints | undefined => {
  const { eventStore: store, clock, keys, log, metrics } = parts;
  const logs = logsOf(parts);
  if (logs.length === 0) return undefined;
  const tell = onceAMinute(parts);
  const writer = new CheckpointWriter({
    store,
    clock,
    logs,
    signer: () => noteSigner(originOf(parts), keys.checkpoint.current().key),
    guarded: GUARDED_EVENTS,
    published: (place, size) => {
      metrics.checkpointLeaves.set({ place }, size);
      metrics.checkpointsPublished.inc({ place });
    },
    unpublished: (place, reason) => {
      metrics.checkpointFailures.inc({ place });
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
