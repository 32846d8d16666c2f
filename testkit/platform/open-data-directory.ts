import { KeyDirectory, loadPlatformSettings } from '#service/config';
import type { EventMacs, EventStore } from '#engines/event-store';
import { type Clock, SystemRandomness } from '#kernel';
import { Metrics, SilentLog } from '#telemetry';

import { eventMacs, openEventStore } from '#service/platform';

/** The embedded store of a data directory that no process uses: as a service, it gives each event its MAC. Makes the key files that are missing. */
export const openDataDirectory = async (directory: string, clock: Clock): Promise<EventStore> => {
  const { settings, keys, ...dependencies } = await openKeys(directory, clock);
  return openEventStore(settings, { ...dependencies, eventKeys: keys.event });
};

/** The MACs that a service over the data directory makes. Makes the key files that are missing. */
export const macsOfDataDirectory = async (directory: string, clock: Clock): Promise<EventMacs> => {
  const { settings, keys } = await openKeys(directory, clock);
  return eventMacs(keys.event, settings.environment);
};

const openKeys = async (directory: string, clock: Clock) => {
  const settings = loadPlatformSettings({ DATA_DIR: directory });
  const dependencies = { clock, randomness: new SystemRandomness(), log: new SilentLog(), metrics: new Metrics() };
  // The files are not read again; the keys stay usable.
  using keys = await KeyDirectory.open({ path: settings.keyDirectory, guarded: false, ...dependencies });
  return { settings, keys, ...dependencies };
};
