import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { keptFile, KeyDirectory, type PlatformSettings } from '#config';
import { MemoryRateLimits, RedisRateLimits } from '#http';
import { Secret, SystemClock, SystemRandomness } from '#kernel';
import { certificateStatusLookUp } from '#identity';
import { openDevelopmentPki } from '#pki';
import { Metrics, PinoLog } from '#telemetry';

import { MovableClock } from './movable-clock.js';
import { openEventStore } from './open-event-store.js';
import { openJobQueue } from './open-job-queue.js';
import { openMessageBus } from './open-message-bus.js';
import type { Platform } from './platform.js';
import { trustServices } from './trust-services.js';

export interface RunningPlatform extends Platform {
  /** Tells everything that waits to come to an end. */
  stop(): void;
  /** Closes the store, when the apps are closed. */
  close(): Promise<void>;
}

/** The platform as the settings want it: embedded, one SQLite file and the key files under DATA_DIR; or on the engines they name. Makes what is missing. */
export const openPlatform = async (settings: PlatformSettings): Promise<RunningPlatform> => {
  const { dataDirectory, keyDirectory, environment } = settings;
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const log = new PinoLog(settings.logLevel);
  const randomness = new SystemRandomness();
  const clock = settings.sandbox ? await MovableClock.open(join(dataDirectory, 'clock.json')) : new SystemClock();
  const keys = await KeyDirectory.open({ path: keyDirectory, clock, randomness, log, production: environment === 'production' });
  const pki = await openDevelopmentPki({ keyDirectory, baseUrl: settings.baseUrl, environment, clock, randomness });
  const adminToken = settings.adminToken ?? (await keptFile(join(dataDirectory, 'admin-token'), randomness, () => randomness.bytes(32).toString('base64url')));
  const eventStore = await openEventStore(settings, { clock, randomness, log });
  const metrics = new Metrics().watchProcess();
  const messageBus = openMessageBus(settings, { eventStore, clock, randomness, log, metrics });
  const jobQueue = await openJobQueue(settings, { clock, log, metrics });
  const rateLimits = settings.redisUrl === undefined ? new MemoryRateLimits() : new RedisRateLimits(settings.redisUrl);
  const certificateStatus = certificateStatusLookUp({ eventStore, clock, randomness });
  const trust = await trustServices({ settings, pki, clock, randomness, certificateStatus });
  const stopping = new AbortController();
  return {
    settings,
    clock,
    randomness,
    eventStore,
    messageBus,
    jobQueue,
    rateLimits,
    keys,
    certificateAuthority: trust.certificateAuthority,
    trustServices: trust,
    adminToken: new Secret(adminToken.trim()),
    log,
    metrics,
    readiness: new Map([['event-store', () => eventStore.check()]]),
    stopping: stopping.signal,
    stop: () => stopping.abort(),
    close: async () => {
      keys[Symbol.dispose]();
      rateLimits.close();
      await messageBus.close();
      await jobQueue.close();
      await eventStore.close();
    },
  };
};
