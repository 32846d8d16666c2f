import type { UnitOfWork } from '#engines/event-store';
import type { Log, Metrics } from '#telemetry';

import { containerTelemetry } from './container-telemetry.js';
import { Sessions } from './repositories/sessions.js';
import type { StatusCache } from './status/status-cache.js';

/** The parts of the process that follow its sessions. */
export interface SessionsParts {
  readonly unitOfWork: UnitOfWork;
  /** Without one, statuses are read from the streams. */
  readonly statusCache?: StatusCache | undefined;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Those of the process. Default: new ones. */
  readonly sessions?: Sessions;
}

/** The sessions of a process, which has them once. */
export const sessionsOf = ({ unitOfWork, statusCache, log, metrics, sessions }: SessionsParts): Sessions =>
  sessions ?? new Sessions(unitOfWork, { statusCache, containerWaited: containerTelemetry({ log, metrics }) });
