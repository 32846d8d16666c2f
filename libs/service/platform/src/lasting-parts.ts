import { join } from 'node:path';

import { isGuarded, isInMemory, KeyDirectory, keySealOf, MemoryKeys, type PlatformSettings } from '#service/config';
import type { VapidKeys } from '#domain/push';
import { type Clock, currentTraceId, type Randomness, type Secret, SystemClock, SystemRandomness } from '#kernel';
import { type DevelopmentPki, openDevelopmentPki } from '#signatures/pki';
import { type LogOutput, Metrics, PinoLog, startTracing } from '#telemetry';

import { MovableClock } from './movable-clock.js';
import { openFirstStartToken } from './open-first-start-token.js';
import { openVapidKeys } from './open-vapid-keys.js';
import { SANDBOX_SUBJECT_KEY } from './sandbox-keys.js';

/** The parts of a process of which there is one however often its store begins anew: what others know it by, and what they read of it. */
export interface LastingParts {
  readonly metrics: Metrics;
  readonly log: PinoLog;
  readonly randomness: Randomness;
  /** A `MovableClock` in the sandbox. */
  readonly clock: Clock;
  readonly keys: KeyDirectory | MemoryKeys;
  readonly vapid: VapidKeys | undefined;
  /** Undefined in a guarded environment. */
  readonly pki: DevelopmentPki | undefined;
  readonly adminToken: Secret<string>;
  close(): Promise<void>;
}

export interface LastingOptions {
  /** Where log lines go. Default: the standard output. */
  readonly logOutput?: LogOutput | undefined;
}

/** Opens the keys, and makes missing ones in `development` and `test`. Throws InvalidSettings that name the setting. */
export const openLastingParts = async (settings: PlatformSettings, { logOutput }: LastingOptions = {}): Promise<LastingParts> => {
  const { keyDirectory } = settings;
  const guarded = isGuarded(settings.environment);
  const metrics = new Metrics().watchProcess();
  const log = new PinoLog(settings.logLevel, logOutput, currentTraceId);
  const randomness = new SystemRandomness();
  const clock = settings.sandbox ? await openMovableClock(settings) : new SystemClock();
  const first = settings.sandbox ? { subject: SANDBOX_SUBJECT_KEY } : {};
  const keysInMemory = isInMemory(keyDirectory);
  const keys = keysInMemory
    ? new MemoryKeys({ clock, randomness, first })
    : await KeyDirectory.open({
        path: keyDirectory,
        clock,
        randomness,
        log,
        guarded,
        first,
        seal: keySealOf(settings, randomness),
        inUse: (purpose, since) => metrics.keysBegun.set({ purpose }, since / 1_000),
      });
  const vapid = await openVapidKeys(settings, randomness);
  const pkiSettings = { keyDirectory: keysInMemory ? undefined : keyDirectory, baseUrl: settings.baseUrl };
  const pki = guarded ? undefined : await openDevelopmentPki({ ...pkiSettings, guarded, clock, randomness });
  const adminToken = await openFirstStartToken(settings, randomness);
  const { tracesEndpoint: endpoint, tracesShare, serviceName } = settings;
  const tracing = endpoint === undefined ? undefined : await startTracing({ endpoint, share: tracesShare, serviceName, metrics });
  const close = async (): Promise<void> => {
    keys[Symbol.dispose]();
    await tracing?.close();
  };
  return { metrics, log, randomness, clock, keys, vapid, pki, adminToken, close };
};

const openMovableClock = async ({ dataDirectory }: PlatformSettings): Promise<MovableClock> =>
  isInMemory(dataDirectory) ? MovableClock.inMemory() : MovableClock.open(join(dataDirectory, 'clock.json'));
