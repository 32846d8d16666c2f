import { loadPlatformSettings } from '#config';
import { SqliteEventStore } from '#event-store';
import { FixedClock, type KeyRing, type RingKey, Secret, StaticKeyRing, SystemRandomness } from '#kernel';
import { Metrics, SilentLog } from '#telemetry';

import type { RunningPlatform } from '../open-platform.js';

export interface TestPlatform extends RunningPlatform {
  readonly clock: FixedClock;
}

/** A platform for tests: the real event store in memory, fixed keys, and a clock that stands still until it is moved. */
export const testPlatform = (environment: Readonly<Record<string, string>> = {}, overrides: Partial<TestPlatform> = {}): TestPlatform => {
  const clock = overrides.clock ?? new FixedClock();
  const eventStore = overrides.eventStore ?? new SqliteEventStore({ path: ':memory:', clock });
  const stopping = new AbortController();
  return {
    settings: loadPlatformSettings(environment),
    clock,
    randomness: new SystemRandomness(),
    eventStore,
    keys: { token: ring('token'), pin: ring('pin'), data: ring('data'), subject: key('subject') },
    adminToken: new Secret('admin-token-of-the-tests'),
    log: new SilentLog(),
    metrics: new Metrics(),
    stopping: stopping.signal,
    stop: () => stopping.abort(),
    close: () => eventStore.close(),
    ...overrides,
  };
};

const key = (id: string): RingKey => ({ id, key: new Secret(Buffer.alloc(32, id)) });

const ring = (id: string): KeyRing => new StaticKeyRing([key(id)]);
