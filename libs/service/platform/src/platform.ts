import type { PlatformSettings } from '#service/config';
import type { EventStore, UnitOfWork } from '#engines/event-store';
import type { CertificateAuthority } from '#signatures/pki';
import type { ErasureList, IdentityRepositories } from '#domain/identity';
import type { JobQueue } from '#engines/job-queue';
import type { Clock, KeyRing, Randomness, RingKey, Sealer, Secret, SubjectKeys } from '#kernel';
import type { MessageBus, RecordMacs } from '#engines/message-bus';
import type { RateLimits } from '#engines/rate-limit';
import type { VapidKeys } from '#domain/push';
import type { EgressProxy } from '#engines/egress';
import type { Projections } from '#engines/read-model';
import type { ClientRecords, PictureDecoder } from '#domain/relying-party';
import type { Sessions, StatusCache } from '#domain/session';
import type { Log, Metrics } from '#telemetry';

import type { TrustServices } from './trust-services.js';

/** The keys of the service, by purpose. */
export interface PlatformKeys {
  /** Derives codes, handoff tokens, cookies and activation codes. */
  readonly token: KeyRing;
  /** Protects stored PIN proofs. */
  readonly pin: KeyRing;
  /** Makes the MACs of stored events and of records on the bus. */
  readonly event: KeyRing;
  /** Derives subjectIds. Another key changes every account. */
  readonly subject: SubjectKeys;
  /** Derives the names of reservations (`person-*`, `clientname-*`) and every other keyed hash. Another key would find none of them. */
  readonly index: RingKey;
  /** For each purpose, the time from which the key in use is valid. Epoch milliseconds. */
  ages(): readonly { readonly purpose: string; readonly since: number }[];
}

/**
 * The parts of the process that an app needs. Each app exports `create<App>App(platform)` from its `app.ts`; its
 * `main.ts`, `standalone` or a test passes the platform.
 */
export interface Platform {
  readonly settings: PlatformSettings;
  /** A `MovableClock` in the sandbox. */
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly eventStore: EventStore;
  /** Every decision of the process: one for all applications. */
  readonly unitOfWork: UnitOfWork;
  /** The repositories of the process, with their caches: one of each kind for all applications. */
  readonly identityRepositories: IdentityRepositories;
  readonly clientRecords: ClientRecords | undefined;
  readonly sessions: Sessions;
  /** Session events for their consumers. */
  readonly messageBus: MessageBus;
  /** For the records on Kafka. */
  readonly recordMacs: RecordMacs;
  /** Delayed and retried work. */
  readonly jobQueue: JobQueue;
  readonly rateLimits: RateLimits;
  /** Undefined without Redis: statuses are read from the streams. */
  readonly statusCache: StatusCache | undefined;
  /** Erased persons, to be erased again in a restored store. */
  readonly erasureList: ErasureList;
  /** Lists and look-ups in SQL. */
  readonly projections: Projections;
  /** Decodes uploaded pictures in a child process. */
  readonly pictureDecoder: PictureDecoder;
  readonly keys: PlatformKeys;
  /** Encrypts the `sealed` members of events with the keys of `data.json`. */
  readonly sealer: Sealer;
  /** Undefined in a guarded environment without `CA_CMP_URL`: the development trust service is refused there, so the service signs nothing. */
  readonly certificateAuthority: CertificateAuthority | undefined;
  /** Undefined exactly if there is no certificate authority. */
  readonly trustServices: TrustServices | undefined;
  /** Undefined in a guarded environment that sets none: nothing is pushed to phones. */
  readonly vapid: VapidKeys | undefined;
  /** For calls to addresses of the internet. Undefined: direct connections. */
  readonly egress: EgressProxy | undefined;
  /** The Bearer token of `/admin/v1`. */
  readonly adminToken: Secret<string>;
  readonly log: Log;
  readonly metrics: Metrics;
  /** The checks of `/readyz` by name. An app adds its own, for a list that is still being read for instance. */
  readonly readiness: Map<string, () => Promise<unknown>>;
  /** Resolves when the process answers requests. Consumers, read models and reconciliation begin then, as no request waits for them: a backlog does not delay the start. */
  readonly serving: Promise<void>;
  /** Aborted when the process begins to stop: long polls answer, subscriptions end. */
  readonly stopping: AbortSignal;
}
