import { beforeEach, describe, expect, it } from '@jest/globals';
import { DummyDriver, type Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';

import { DomainError } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { EngineCalls, Metrics } from '#telemetry';

import { ReadModelsUnavailable } from './read-models.js';
import { SqlReadModels } from './sql-read-models.js';

class Refused extends DomainError {
  readonly code = 'not_found';
}

/** A database that answers every statement without rows. */
const silent = {
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (database: Kysely<unknown>) => new SqliteIntrospector(database),
  createQueryCompiler: () => new SqliteQueryCompiler(),
};

let clock: FixedClock;
let metrics: Metrics;
let models: SqlReadModels;

beforeEach(() => {
  clock = new FixedClock();
  metrics = new Metrics();
  const calls = new EngineCalls('postgresql', { clock, metrics });
  models = new SqlReadModels({ dialect: silent, isShared: true, isDatabaseError: (error) => error instanceof RangeError, calls });
});

const shown = () => metrics.registry.getSingleMetricAsString('engine_call_duration_seconds');

describe('measured read models', () => {
  it('count queries and transactions, with their time', async () => {
    await models.query(async () => clock.advance(40));
    await models.transaction(async () => clock.advance(70));
    expect(await shown()).toContain('_sum{engine="postgresql",call="query",outcome="done"} 0.04');
    expect(await shown()).toContain('_sum{engine="postgresql",call="transaction",outcome="done"} 0.07');
  });

  it('count a call as failed when the database is unavailable, not when the work refuses', async () => {
    await expect(models.query(() => Promise.reject(new Refused('no such thing')))).rejects.toBeInstanceOf(Refused);
    await expect(models.query(() => Promise.reject(new RangeError('connection lost')))).rejects.toBeInstanceOf(ReadModelsUnavailable);
    expect(await shown()).toContain('_count{engine="postgresql",call="query",outcome="done"} 1');
    expect(await shown()).toContain('_count{engine="postgresql",call="query",outcome="failed"} 1');
  });
});
