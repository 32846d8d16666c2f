import { UseBreakGlass } from '#domain/administration';
import { isGuarded, KeyDirectory, keySealOf, type PlatformSettings } from '#service/config';
import { MemoryRateLimits } from '#engines/rate-limit';
import { Sealer, Secret, SystemClock, SystemRandomness } from '#kernel';
import { Metrics, SilentLog } from '#telemetry';

import { openEventStore } from './open-event-store.js';
import type { PlatformParts } from './platform-parts.js';
import { unitOfWorkOver } from './unit-of-work-over.js';
import { useCasesOf } from './use-cases.js';

/** The way back over the store and the keys that the settings name, and nothing else. */
export interface OpenedBreakGlass {
  readonly breakGlass: UseBreakGlass;
  close(): Promise<void>;
}

/** Opens the event store and the keys. A SQLite file must be held by no other process: throws EventStoreUnavailable. */
export const openBreakGlass = async (settings: PlatformSettings): Promise<OpenedBreakGlass> => {
  const clock = new SystemClock();
  const randomness = new SystemRandomness();
  const dependencies = { clock, randomness, log: new SilentLog(), metrics: new Metrics() };
  const guarded = isGuarded(settings.environment);
  // The files are not read again; the keys stay usable.
  using keys = await KeyDirectory.open({ path: settings.keyDirectory, guarded, seal: keySealOf(settings, randomness), ...dependencies });
  const eventStore = await openEventStore(settings, { ...dependencies, eventKeys: keys.event });
  // What phones, messages and lists need is not opened: none of the use cases below asks for it.
  const parts = {
    ...dependencies,
    settings,
    keys,
    eventStore,
    unitOfWork: unitOfWorkOver(eventStore, clock),
    sealer: new Sealer(keys.data, randomness),
    rateLimits: new MemoryRateLimits(),
    // No request is authenticated here.
    adminToken: new Secret(randomness.bytes(32).toString('base64url')),
    stopping: AbortSignal.abort(),
  } as unknown as PlatformParts;
  const useCases = useCasesOf(parts);
  const { breakGlassRequests: requests, portalMembers: members, auditTrail } = useCases.administration();
  const { issueActivationCode: codes } = useCases.phones();
  return {
    breakGlass: new UseBreakGlass({ requests, members, codes, auditTrail, randomness, now: () => clock.now() }),
    close: () => eventStore.close(),
  };
};
