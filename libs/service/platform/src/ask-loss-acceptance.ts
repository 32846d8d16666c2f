import { LossRequestRefused, LossRequests } from '#domain/administration';
import { isGuarded, KeyDirectory, keySealOf, type PlatformSettings } from '#service/config';
import { categoryOf, type StreamName } from '#engines/event-store';
import { findLoss, type Loss } from '#engines/transparency-log';
import { SystemClock, SystemRandomness } from '#kernel';
import { Metrics, SilentLog } from '#telemetry';

import { anchorsOf } from './anchors.js';
import { openEgress } from './open-egress.js';
import { openEventStore } from './open-event-store.js';
import { GUARDED_EVENTS, truncatedBefore } from './streams.js';
import { unitOfWorkOver } from './unit-of-work-over.js';

/**
 * Finds what the store has lost of the guarded events, and asks the running services to have it accepted. A SQLite file must be held by no other process: throws EventStoreUnavailable. Throws
 * LossRequestRefused where nothing was lost, no place of checkpoints is named, or another request is under way; and HistoryRefused, NoteRefused and PlaceUnavailable where the places are not whole.
 */
export const askLossAcceptance = async (settings: PlatformSettings): Promise<Loss> => {
  const clock = new SystemClock();
  const randomness = new SystemRandomness();
  const dependencies = { clock, randomness, log: new SilentLog(), metrics: new Metrics() };
  const guarded = isGuarded(settings.environment);
  // The files are not read again; the keys stay usable.
  using keys = await KeyDirectory.open({ path: settings.keyDirectory, guarded, seal: keySealOf(settings, randomness), ...dependencies });
  const anchors = anchorsOf({ settings, keys, egress: openEgress(settings, new SilentLog()) });
  if (!anchors) throw new LossRequestRefused('no setting names a place of checkpoints');
  const store = await openEventStore(settings, { ...dependencies, eventKeys: keys.event });
  try {
    const parts = {
      store,
      logs: anchors.logs,
      guarded: GUARDED_EVENTS,
      truncatedBefore: (stream: StreamName) => truncatedBefore(categoryOf(stream)),
    };
    const found = await findLoss(parts, new AbortController().signal);
    if (!found) throw new LossRequestRefused('the store lacks nothing that was published');
    const { extensions: security, ...loss } = found;
    await new LossRequests(unitOfWorkOver(store, clock)).handle({
      type: 'AskLossAcceptance',
      asked: { ...loss, security, requestId: randomness.uuid() },
    });
    return loss;
  } finally {
    await store.close();
  }
};
