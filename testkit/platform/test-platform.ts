import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { isGuarded, loadPlatformSettings } from '#service/config';
import { SqliteEventStore, StoreHistory } from '#engines/event-store';
import type { StoreEngine } from '#testkit/event-store/store-engines';
import { SqliteJobQueue } from '#engines/job-queue';
import { type KeyRing, type RingKey, Sealer, Secret, SystemRandomness } from '#kernel';
import { FixedClock } from '../kernel/fixed-clock.js';
import { OneSubjectKey } from '../kernel/one-subject-key.js';
import { StaticKeyRing } from '../kernel/static-key-ring.js';
import { EmbeddedMessageBus, RecordMacs } from '#engines/message-bus';
import { deliveryChannel, GuardedGet, GuardedPost, ReachableNetworks, RecordedWebhooks } from '#domain/webhook';
import { type DevelopmentPki, openDevelopmentPki } from '#signatures/pki';
import { MemoryRateLimits } from '#engines/rate-limit';
import { SigningPairs } from '#testkit/openid/signing-pairs';
import { projectionsInMemory } from '#testkit/read-model/projections-in-memory';
import { PictureDecoder } from '#domain/relying-party';
import { SessionPublication } from '#domain/session';
import { Metrics, SilentLog } from '#telemetry';

import { MemoryErasureList } from '#testkit/identity/memory-erasure-list';
import { FairTurns } from '#service/http';
import { authenticate } from '#service/platform';
import type { Platform, RunningPlatform, TrustServicesDependencies } from '#service/platform';
import { proxyReportsOf, unitOfWorkOver, useCasesOf } from '#service/platform';
import { TrustServiceHealth, trustServices } from '#service/platform';

export interface TestPlatform extends RunningPlatform {
  readonly clock: FixedClock;
}

const openInMemory: StoreEngine['open'] = async (clock) => new SqliteEventStore({ path: ':memory:', clock });

/**
 * A platform for tests: the real event store, in memory unless `openStore` opens another one, fixed keys, and a clock that stands still until it is moved.
 */
export const testPlatform = async (
  environment: Readonly<Record<string, string>> = {},
  overrides: Partial<TestPlatform> = {},
  openStore = openInMemory,
): Promise<TestPlatform> => {
  const settings = loadPlatformSettings(environment);
  const clock = overrides.clock ?? new FixedClock();
  const randomness = new SystemRandomness();
  const log = new SilentLog();
  const metrics = new Metrics();
  const eventKeys = ring('event');
  const eventStore = overrides.eventStore ?? authenticate(await openStore(clock), { environment: settings.environment, eventKeys, log, metrics });
  const unitOfWork = unitOfWorkOver(eventStore, clock);
  const publication = new SessionPublication(eventStore);
  const messageBus = new EmbeddedMessageBus({
    eventStore,
    publications: [publication],
    channels: [deliveryChannel],
    clock,
    randomness,
    log,
    metrics,
  });
  const jobQueue = overrides.jobQueue ?? new SqliteJobQueue({ path: ':memory:', clock, log, metrics });
  const keys = overrides.keys ?? {
    token: ring('token'),
    pin: ring('pin'),
    event: eventKeys,
    checkpoint: ring('checkpoint'),
    subject: new OneSubjectKey(key('subject')),
    index: key('index'),
    openid: new SigningPairs(clock),
    ages: () => [{ purpose: 'token', since: clock.now() }],
  };
  const sealer = overrides.sealer ?? new Sealer(ring('data'), randomness);
  const certificateStatus: TrustServicesDependencies['certificateStatus'] = (serial) => useCases.identity().findCertificateStatus.execute(serial);
  const trust = isGuarded(settings.environment)
    ? undefined
    : await trustServices({ settings, pki: await (pki ??= makePki()), clock, randomness, certificateStatus });
  const projections = projectionsInMemory(eventStore);
  const networks = new ReachableNetworks(settings.webhookAllowedNetworks);
  const post = new GuardedPost({ networks, egress: overrides.egress });
  const get = new GuardedGet({ networks, egress: overrides.egress });
  const pushNetworks = new ReachableNetworks(settings.pushAllowedNetworks);
  const pushPost = new GuardedPost({ networks: pushNetworks, egress: overrides.egress });
  const proxyReports = proxyReportsOf(settings, clock, log);
  const pictureDecoder = new PictureDecoder();
  const stopping = new AbortController();
  const parts = {
    settings,
    clock,
    randomness,
    eventStore,
    historyGuard: undefined,
    checkpointStamper: undefined,
    storeHistory: new StoreHistory({ store: eventStore, clock }),
    unitOfWork,
    publication,
    messageBus,
    jobQueue,
    rateLimits: new MemoryRateLimits(),
    statusCache: undefined,
    erasureList: new MemoryErasureList(),
    projections,
    networks,
    post,
    get,
    pushNetworks,
    pushPost,
    proxyReports,
    turns: new FairTurns({ load: () => 0, now: () => clock.now(), after: () => undefined }),
    recordedWebhooks: settings.sandbox ? new RecordedWebhooks(new Secret(`whsec_${Buffer.alloc(32).toString('base64')}`), clock) : undefined,
    pictureDecoder,
    keys,
    sealer,
    certificateAuthority: trust?.certificateAuthority,
    trustServices: trust,
    trustServiceHealth: new TrustServiceHealth({ eventStore, clock, log, metrics }),
    vapid: undefined,
    egress: undefined,
    adminToken: new Secret('admin-token-of-the-tests'),
    log,
    metrics,
    stopping: stopping.signal,
    ...overrides,
  };
  const useCases: Platform['useCases'] = useCasesOf(parts);
  return {
    unguarded: undefined,
    recordMacs: new RecordMacs(eventKeys, settings.environment),
    readiness: new Map(),
    serving: Promise.resolve(),
    failed: new Promise(() => undefined),
    served: () => undefined,
    stop: () => stopping.abort(),
    close: async () => {
      post.close();
      get.close();
      pushPost.close();
      await pictureDecoder.close();
      await projections.close();
      await messageBus.close();
      await jobQueue.close();
      await eventStore.close();
    },
    ...parts,
    useCases,
    ...overrides,
  };
};

/** The same platform with changed parts, and the use cases of another process over them. */
export const withParts = <Given extends Platform>(platform: Given, changes: Partial<Given>): Given => {
  const parts = { ...platform, ...changes };
  return { ...parts, useCases: useCasesOf(parts) };
};

/** Its keys take a while to make, so all platforms of a test file share them. */
let pki: Promise<DevelopmentPki> | undefined;

const makePki = async (): Promise<DevelopmentPki> => {
  const keyDirectory = await mkdtemp(join(tmpdir(), 'pki-'));
  const made = await openDevelopmentPki({
    keyDirectory,
    baseUrl: 'http://localhost:3000',
    guarded: false,
    clock: new FixedClock(),
    randomness: new SystemRandomness(),
  });
  await rm(keyDirectory, { recursive: true });
  return made;
};

const key = (id: string): RingKey => ({ id, key: new Secret(Buffer.alloc(32, id)) });

const ring = (id: string): KeyRing => new StaticKeyRing([key(id)]);
