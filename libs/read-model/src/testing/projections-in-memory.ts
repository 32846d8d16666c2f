import { type Clock, FixedClock, SystemRandomness } from '#kernel';
import type { EventStore } from '#event-store';
import { Metrics, SilentLog } from '#telemetry';

import { Projections } from '../projections.js';
import { openSqliteReadModels } from '../sqlite/sqlite-read-models.js';

/** Read models in memory that follow a store. The clock says when they look whether the store was restored. */
export const projectionsInMemory = (eventStore: EventStore, clock: Clock = new FixedClock()): Projections =>
  new Projections({
    readModels: openSqliteReadModels(':memory:'),
    eventStore,
    clock,
    randomness: new SystemRandomness(),
    log: new SilentLog(),
    metrics: new Metrics(),
  });
