import { categoryOf, type EventStore, GuardedEventStore } from '#engines/event-store';
import { AnchoredEventStore, HistoryGuard, HistoryPass } from '#engines/transparency-log';
import { pause, type Pause, recurUntil } from '#kernel';

import { type Anchors, anchorsOf } from './anchors.js';
import type { PlatformParts } from './platform-parts.js';
import { GUARDED_EVENTS, GUARDED_HEADS, truncatedBefore } from './streams.js';

/** Milliseconds between two comparisons, and between two passes over all leaves. */
const LOOK_INTERVAL = 60_000;
const PASS_INTERVAL = 3_600_000;

/** Milliseconds that a start waits for the first comparison. */
const START_TIME_LIMIT = 2_000;

export interface GuardedHistory {
  readonly guard: HistoryGuard;
  /** Whose reads are checked. */
  readonly eventStore: EventStore;
}

interface Parts
  extends Pick<PlatformParts, 'settings' | 'keys' | 'log' | 'metrics' | 'eventStore'>, Partial<Pick<PlatformParts, 'egress' | 'checkpointStamper'>> {
  /** Replaced in tests that do not wait. */
  readonly pause?: Pause;
}

/** The store behind the leaves outside of it. Undefined where no setting names a place for them. */
export const openHistoryGuard = (parts: Parts): GuardedHistory | undefined => {
  const anchors = anchorsOf(parts);
  return anchors && guardOver(parts, anchors);
};

const guardOver = ({ eventStore: store, log, metrics, checkpointStamper: stamper, pause }: Parts, { logs }: Anchors): GuardedHistory => {
  const guard = new HistoryGuard({
    store,
    logs,
    truncatedBefore: (stream) => truncatedBefore(categoryOf(stream)),
    heads: GUARDED_HEADS,
    stamper,
    ...(pause && { pause }),
    accepted: () => {
      if (store instanceof GuardedEventStore) store.forgetEnds();
    },
    lost: ({ reason }) => {
      metrics.history.losses.inc();
      metrics.history.incomplete.set(1);
      log.error('the history of the store is not what was published', { component: 'history', reason });
    },
    unavailable: (place, reason) => {
      metrics.history.placeFailures.inc({ place });
      log.warn('a place of checkpoints does not answer', { component: 'history', reason });
    },
  });
  return { guard, eventStore: new AnchoredEventStore(store, guard, new Set(GUARDED_EVENTS.categories)) };
};

type Watching = Pick<PlatformParts, 'clock' | 'stopping' | 'metrics'>;

/** Compares once, for a time that a start can wait, and then each minute until the signal. A comparison that fails is repeated. */
export const watchHistory = async (guard: HistoryGuard, { clock, stopping, metrics }: Watching): Promise<void> => {
  const look = async (): Promise<void> => {
    await guard.look();
    metrics.history.incomplete.set(guard.loss ? 1 : 0);
  };
  const looked = new AbortController();
  const looking = look()
    .catch(() => undefined)
    .finally(() => looked.abort());
  await Promise.race([looking, pause(START_TIME_LIMIT, looked.signal)]);
  void recurUntil(stopping, { clock, interval: LOOK_INTERVAL, work: look });
};

/** Compares each leaf with the store, once an hour until the signal. Does nothing where no place of checkpoints is named. */
export const runHistoryPasses = async ({ historyGuard: guard, eventStore: store, clock, metrics, stopping }: PlatformParts): Promise<void> => {
  if (!guard) return;
  const passed = (leaves: number): void => {
    metrics.history.passes.inc();
    metrics.history.passLeaves.set(leaves);
  };
  const pass = new HistoryPass({ store, guard, guarded: GUARDED_EVENTS, passed });
  await recurUntil(stopping, { clock, interval: PASS_INTERVAL, work: () => pass.run(stopping) });
};
