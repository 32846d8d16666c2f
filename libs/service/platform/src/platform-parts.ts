import type { PlatformSettings } from '#service/config';
import type { EventStore, StoreHistory, UnitOfWork } from '#engines/event-store';
import type { CertificateAuthority } from '#signatures/pki';
import type { ErasureList } from '#domain/identity';
import type { HistoryGuard, Stamper } from '#engines/transparency-log';
import type { JobQueue } from '#engines/job-queue';
import type { Clock, KeyRing, Randomness, RingKey, Sealer, Secret, SubjectKeys } from '#kernel';
import type { MessageBus } from '#engines/message-bus';
import type { RateLimits } from '#engines/rate-limit';
import type { SigningRing } from '#domain/openid';
import type { FairTurns, ProxyReports } from '#service/http';
import type { VapidKeys } from '#domain/push';
import type { EgressProxy } from '#engines/egress';
import type { Projections } from '#engines/read-model';
import type { PictureDecoder } from '#domain/relying-party';
import type { SessionPublication, StatusCache } from '#domain/session';
import type { Log, Metrics } from '#telemetry';
import type { GuardedGet, GuardedPost, ReachableNetworks, RecordedWebhooks } from '#domain/webhook';

import type { TrustServiceHealth } from './trust-service-health.js';
import type { TrustServices } from './trust-services.js';

/** The keys of the service, by purpose. */
export interface PlatformKeys {
  /** Derives codes, handoff tokens, cookies and activation codes. */
  readonly token: KeyRing;
  /** Protects stored PIN proofs. */
  readonly pin: KeyRing;
  /** Makes the MACs of stored events and of records on the bus. */
  readonly event: KeyRing;
  /** Signs the checkpoints of the history. */
  readonly checkpoint: KeyRing;
  /** Derives subjectIds. Another key changes every account. */
  readonly subject: SubjectKeys;
  /** Derives the names of reservations (`person-*`, `clientname-*`) and every other keyed hash. Another key would find none of them. */
  readonly index: RingKey;
  /** Signs the ID tokens of OpenID Connect. Undefined in a guarded environment without `openid.json`. */
  readonly openid: SigningRing | undefined;
  /** For each purpose, the time from which the key in use is valid. Epoch milliseconds. */
  ages(): readonly { readonly purpose: string; readonly since: number }[];
}

/** The parts of the process from which its use cases are made. */
export interface PlatformParts {
  readonly settings: PlatformSettings;
  /** A `MovableClock` in the sandbox. */
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly eventStore: EventStore;
  /** Compares the store with the checkpoints outside of it. Undefined where no setting names a place for them. */
  readonly historyGuard: HistoryGuard | undefined;
  /** Time-stamps checkpoints, and verifies their time-stamps. Undefined where no setting asks for them. */
  readonly checkpointStamper: Stamper | undefined;
  /** Followed while the process serves. */
  readonly storeHistory: StoreHistory;
  /** Every decision of the process: one for all applications. */
  readonly unitOfWork: UnitOfWork;
  /** Makes the published events of sessions from the stored ones. */
  readonly publication: SessionPublication;
  /** Session events for their consumers. */
  readonly messageBus: MessageBus;
  /** Delayed and retried work. */
  readonly jobQueue: JobQueue;
  readonly rateLimits: RateLimits;
  /** What requests show of the proxies before the process. */
  readonly proxyReports: ProxyReports;
  /** Of the clients whose calls this process answers. */
  readonly turns: FairTurns;
  /** Undefined without Redis: statuses are read from the streams. */
  readonly statusCache: StatusCache | undefined;
  /** Erased persons, to be erased again in a restored store. */
  readonly erasureList: ErasureList;
  /** Lists and look-ups in SQL. */
  readonly projections: Projections;
  /** The addresses that webhooks may reach. */
  readonly networks: ReachableNetworks;
  /** Posts to the addresses that relying parties have given. */
  readonly post: GuardedPost;
  /** Fetches the keys of relying parties from the addresses that they have given. */
  readonly get: GuardedGet;
  /** The addresses that pushes may reach: other ones, since every person names the address of a push service. */
  readonly pushNetworks: ReachableNetworks;
  /** Posts to the push services of the phones. */
  readonly pushPost: GuardedPost;
  /** In the sandbox alone. */
  readonly recordedWebhooks: RecordedWebhooks | undefined;
  /** Decodes uploaded pictures in a child process. */
  readonly pictureDecoder: PictureDecoder;
  readonly keys: PlatformKeys;
  /** Encrypts the `sealed` members of events with the keys of `data.json`. */
  readonly sealer: Sealer;
  /** Undefined in a guarded environment without `CA_CMP_URL`: the development trust service is refused there, so the service signs nothing. */
  readonly certificateAuthority: CertificateAuthority | undefined;
  /** Undefined exactly if there is no certificate authority. */
  readonly trustServices: TrustServices | undefined;
  /** When each trust service was last heard, by all processes. */
  readonly trustServiceHealth: TrustServiceHealth;
  /** Undefined in a guarded environment that sets none: nothing is pushed to phones. */
  readonly vapid: VapidKeys | undefined;
  /** For calls to addresses of the internet. Undefined: direct connections. */
  readonly egress: EgressProxy | undefined;
  /** The Bearer token of `/admin/v1`. */
  readonly adminToken: Secret<string>;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Aborted when the process begins to stop: long polls answer, subscriptions end. */
  readonly stopping: AbortSignal;
}
