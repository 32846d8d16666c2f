import { FixedClock, SystemRandomness } from '#kernel';
import type { EventStore } from '#event-store';
import { Metrics, SilentLog } from '#telemetry';

import { Projections } from '../projections.js';
import { openSqliteReadModels } from '../sqlite/sqlite-read-models.js';

/** Read models in memory that follow a store. */
export const projectionsInMemory = (eventStore: EventStore): Projections =>
  new Projections({
    readModels: openSqliteReadModels(':memory:'),
    eventStore,
    clock: new FixedClock(),
    randomness: new SystemRandomness(),
    log: new SilentLog(),
    metrics: new Metrics(),
  });
