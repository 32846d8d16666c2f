import { type Clock, SystemRandomness } from '#kernel';
import { FixedClock } from '../kernel/fixed-clock.js';
import type { EventStore } from '#engines/event-store';
import { Metrics, SilentLog } from '#telemetry';

import { Projections } from '#engines/read-model';
import { CountedReadModels } from './counted-read-models.js';
import { openSqliteReadModels } from '#engines/read-model';

/**
 * Read models in memory that follow a store. By `clock` they check from time to time whether the store was restored. `statements` counts their
 * statements: see {@link CountedReadModels}.
 */
export const projectionsInMemory = (eventStore: EventStore, clock: Clock = new FixedClock(), statements = new Map<string, number>()): Projections =>
  new Projections({
    readModels: new CountedReadModels(openSqliteReadModels(':memory:'), statements),
    eventStore,
    clock,
    randomness: new SystemRandomness(),
    log: new SilentLog(),
    metrics: new Metrics(),
  });
