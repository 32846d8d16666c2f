import { databasePath, InvalidSettings, isInMemory, type PlatformSettings } from '#service/config';
import { type EventStore, openEventStoreDb, type Place, SqliteEventStore } from '#engines/event-store';
import type { Clock, KeyRing, Randomness } from '#kernel';
import type { Log, Metrics } from '#telemetry';

import { authenticate } from './authenticate.js';
import { BackupSocket } from './backup/backup-socket.js';
import { STORE } from './backup/files.js';
import { eventStoreAccess } from './engine-access.js';
import { MeasuredEventStore } from './measured-event-store.js';

interface Dependencies {
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly eventKeys: KeyRing;
  /** Called when the store turned out to be restored from an older copy, with the last place that is known to be in the copy. Default: nothing happens. */
  readonly restored?: (last: Place | undefined) => void;
}

/**
 * EventStoreDB when `ESDB_URL` is set, which need not be available yet; otherwise SQLite in `DATA_DIR`. Every event is given a MAC, and a stream with
 * an event of another writer is refused.
 */
export const openEventStore = async (settings: PlatformSettings, dependencies: Dependencies): Promise<EventStore> => {
  const { environment } = settings;
  if (settings.esdbUrl === undefined) {
    const store: SqliteEventStore = new SqliteEventStore({
      path: databasePath(settings.dataDirectory, STORE),
      committed: (writes) => dependencies.metrics.storeCommits.observe(writes),
      alarm: alarmBy(dependencies.log),
      report: reportBy(dependencies.log),
      beforeClose: async () => backups?.close(),
      ...dependencies,
    });
    const copyTo = (path: string): Promise<void> => store.backUp(path);
    const { dataDirectory } = settings;
    const backups = isInMemory(dataDirectory) ? undefined : await BackupSocket.open({ dataDirectory, copyTo, ...dependencies });
    return authenticate(new MeasuredEventStore(store, dependencies), { environment, ...dependencies });
  }
  const remote = await openUnauthenticated(settings.esdbUrl, settings, dependencies);
  return authenticate(new MeasuredEventStore(remote, dependencies), { environment, ...dependencies });
};

const openUnauthenticated = async (
  connectionString: string,
  settings: PlatformSettings,
  { clock, randomness, log, restored = () => undefined }: Dependencies,
): Promise<EventStore> => {
  const [report, alarm] = [reportBy(log), alarmBy(log)];
  const refused = (reason: string): void => log.error('this service cannot use EventStoreDB', { component: 'event-store', reason });
  try {
    return await openEventStoreDb({ connectionString, access: eventStoreAccess(settings), refused, clock, randomness, report, alarm, restored });
  } catch {
    // The client's message may contain the credentials.
    throw new InvalidSettings(['ESDB_URL is not a connection string that EventStoreDB knows, such as esdb://host:2113?tls=false.']);
  }
};

const reportBy =
  (log: Log) =>
  (reason: string): void =>
    log.warn('a subscription to the event store was interrupted and resumes', { component: 'event-store', reason });

const alarmBy =
  (log: Log) =>
  (reason: string): void =>
    log.error('a subscription to the event store needs an operator', { component: 'event-store', reason });
