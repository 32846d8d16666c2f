import type { PlatformSettings } from '#config';
import type { EventStore } from '#event-store';
import type { RateLimits } from '#http';
import type { CertificateAuthority } from '#identity';
import type { JobQueue } from '#job-queue';
import type { Clock, KeyRing, Randomness, RingKey, Secret } from '#kernel';
import type { MessageBus } from '#message-bus';
import type { Log, Metrics } from '#telemetry';

import type { TrustServices } from './trust-services.js';

/** The keys that the service holds, by purpose. */
export interface PlatformKeys {
  /** Makes codes, handoff tokens, cookies and activation codes. */
  readonly token: KeyRing;
  /** What PIN proofs are kept under. */
  readonly pin: KeyRing;
  /** Encrypts what lies sealed in events. */
  readonly data: KeyRing;
  /** Derives subject ids and `person-*` streams. One key for ever: another one would change every account. */
  readonly subject: RingKey;
}

/**
 * What an app needs from the process it runs in. Each app exports `create<App>App(platform)` from its `app.ts`;
 * whoever starts it (its own `main.ts`, `standalone`, a test) brings the platform.
 */
export interface Platform {
  readonly settings: PlatformSettings;
  /** A `MovableClock` in the sandbox. */
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly eventStore: EventStore;
  /** Session events, for whoever reacts to them. */
  readonly messageBus: MessageBus;
  /** Work that is delayed or retried. */
  readonly jobQueue: JobQueue;
  readonly rateLimits: RateLimits;
  readonly keys: PlatformKeys;
  readonly certificateAuthority: CertificateAuthority;
  readonly trustServices: TrustServices;
  /** Opens `/admin/v1`. */
  readonly adminToken: Secret<string>;
  readonly log: Log;
  readonly metrics: Metrics;
  /** What `/readyz` asks, by name: an app adds what it needs to be ready itself, a list that is still being read for instance. */
  readonly readiness: Map<string, () => Promise<unknown>>;
  /** Aborted when the process begins to stop: long polls answer, subscriptions end. */
  readonly stopping: AbortSignal;
}
