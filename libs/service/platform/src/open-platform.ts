import { access, constants, mkdir } from 'node:fs/promises';

import { InvalidSettings, isInMemory, type PlatformSettings } from '#service/config';
import type { Place, StoreHistory } from '#engines/event-store';
import { once, Sealer } from '#kernel';
import type { CertificateStatus } from '#domain/identity';
import { RecordMacs } from '#engines/message-bus';
import { MemoryRateLimits, RedisRateLimits } from '#engines/rate-limit';
import { FairTurns, ownLoop } from '#service/http';
import { PictureDecoder } from '#domain/relying-party';
import { RedisStatusCache, SessionPublication } from '#domain/session';
import { GuardedGet, GuardedPost, ReachableNetworks, RecordedWebhooks } from '#domain/webhook';

import { assertAnchorsApart } from './anchor-directory.js';
import { openCheckpointStamper } from './checkpoint-stamper.js';
import { assertEngineFiles, redisAccess } from './engine-access.js';
import { withCheckedKeys } from './key-checked-event-store.js';
import { type LastingParts, openLastingParts } from './lasting-parts.js';
import { openEgress, trustServiceAgents } from './open-egress.js';
import { openErasureList } from './open-erasure-list.js';
import { openEventStore } from './open-event-store.js';
import { openHistoryGuard, watchHistory } from './open-history-guard.js';
import { openStoreHistory } from './open-store-history.js';
import { openJobQueue } from './open-job-queue.js';
import { openMessageBus } from './open-message-bus.js';
import { openProjections } from './open-projections.js';
import { reportNewerEvents } from './report-newer-events.js';
import type { Platform } from './platform.js';
import type { PlatformParts } from './platform-parts.js';
import { proxyReportsOf } from './proxy-reports-of.js';
import { SANDBOX_WEBHOOK_SECRET } from './sandbox-keys.js';
import { TrustServiceHealth } from './trust-service-health.js';
import { trustServices } from './trust-services.js';
import { unitOfWorkOver } from './unit-of-work-over.js';
import { type UseCases, useCasesOf } from './use-cases.js';
import { watchedTrustServices } from './watched-trust-services.js';

export interface PlatformOptions {
  /** They stay open. Default: new ones, which the platform closes. */
  readonly lasting?: LastingParts;
}

export interface RunningPlatform extends Platform {
  /** Resolves when the process has to end, since what the start could not examine yet turned out to be wrong. */
  readonly failed: Promise<Error>;
  /** Tells `serving`. */
  served(): void;
  /** Aborts `stopping`: long polls answer and subscriptions end. */
  stop(): void;
  /** Closes the engines. Call it after the apps are closed. */
  close(): Promise<void>;
}

/**
 * Opens the engines that the settings name, or the embedded ones with their files under `DATA_DIR`. Creates missing files.
 * Throws InvalidSettings that name the setting.
 */
export const openPlatform = async (settings: PlatformSettings, { lasting: given }: PlatformOptions = {}): Promise<RunningPlatform> => {
  if (!isInMemory(settings.dataDirectory)) await createDataDirectory(settings.dataDirectory);
  assertEngineFiles(settings);
  await assertAnchorsApart(settings);
  const lasting = given ?? (await openLastingParts(settings));
  const { metrics, log, randomness, clock, keys, vapid, pki, adminToken } = lasting;
  const egress = openEgress(settings, log);
  const checkpointStamper = await openCheckpointStamper({ settings, pki, clock, randomness, egress: trustServiceAgents(egress) });
  const sealer = new Sealer(keys.data, randomness);
  let storeHistory: StoreHistory | undefined;
  const restored = (last: Place | undefined): void => void storeHistory?.restored(last);
  const opened = await openEventStore(settings, { clock, randomness, log, metrics, eventKeys: keys.event, restored });
  const { promise: failed, resolve: refused } = Promise.withResolvers<Error>();
  const guarding = openHistoryGuard({ settings, keys, log, metrics, eventStore: opened, egress, checkpointStamper });
  const eventStore = await withCheckedKeys(guarding?.eventStore ?? opened, settings, { keys, clock, log, refused });
  const history = (storeHistory = openStoreHistory({ eventStore, clock, log, metrics }));
  const unitOfWork = unitOfWorkOver(eventStore, clock);
  reportNewerEvents(eventStore, { log, metrics });
  const recordMacs = new RecordMacs(keys.event, settings.environment);
  const { promise: serving, resolve: served } = Promise.withResolvers<void>();
  const publication = new SessionPublication(eventStore);
  const messageBus = openMessageBus(settings, { begin: serving, macs: recordMacs, eventStore, publication, clock, randomness, log, metrics });
  const jobQueue = await openJobQueue(settings, { clock, log, metrics });
  const erasureList = openErasureList(settings, { eventKeys: keys.event, randomness, log, clock, metrics });
  const projections = openProjections(settings, { begin: serving, eventStore, history, clock, randomness, log, metrics });
  const redis = redisAccess(settings, { clock, metrics });
  const uncounted = (reason: string): void => log.error('requests are not counted over all replicas', { component: 'rate-limits', reason });
  const rateLimits = redis ? new RedisRateLimits(redis, uncounted) : new MemoryRateLimits();
  const statusCache = redis && new RedisStatusCache({ ...redis, clock, log, history: () => history.id });
  const certificateStatus = (serial: string): Promise<CertificateStatus> => useCases.identity().findCertificateStatus.execute(serial);
  const services = await trustServices({ settings, pki, clock, randomness, certificateStatus, egress: trustServiceAgents(egress) });
  const trustServiceHealth = new TrustServiceHealth({ eventStore, clock, log, metrics });
  const trust = services && watchedTrustServices(services, trustServiceHealth);
  const networks = new ReachableNetworks(settings.webhookAllowedNetworks);
  const post = new GuardedPost({ networks, egress });
  const get = new GuardedGet({ networks, egress });
  const pushNetworks = new ReachableNetworks(settings.pushAllowedNetworks);
  const pushPost = new GuardedPost({ networks: pushNetworks, egress });
  const proxyReports = proxyReportsOf(settings, clock, log);
  const turns = new FairTurns(ownLoop());
  const recordedWebhooks = settings.sandbox ? new RecordedWebhooks(SANDBOX_WEBHOOK_SECRET, clock) : undefined;
  const pictureDecoder = new PictureDecoder();
  const stopping = new AbortController();
  if (guarding) await watchHistory(guarding.guard, { clock, metrics, stopping: stopping.signal });
  void serving.then(() => history.run(stopping.signal));
  const parts: PlatformParts = {
    settings,
    clock,
    randomness,
    eventStore,
    historyGuard: guarding?.guard,
    checkpointStamper,
    storeHistory: history,
    unitOfWork,
    publication,
    messageBus,
    jobQueue,
    rateLimits,
    statusCache,
    erasureList,
    projections,
    networks,
    post,
    get,
    pushNetworks,
    pushPost,
    proxyReports,
    turns,
    recordedWebhooks,
    pictureDecoder,
    keys,
    sealer,
    certificateAuthority: trust?.certificateAuthority,
    trustServices: trust,
    trustServiceHealth,
    vapid,
    egress,
    adminToken,
    log,
    metrics,
    stopping: stopping.signal,
  };
  const useCases: UseCases = useCasesOf(parts);
  return {
    ...parts,
    useCases,
    unguarded: guarding && once(() => useCasesOf({ ...parts, eventStore: opened, unitOfWork: unitOfWorkOver(opened, clock) })),
    recordMacs,
    readiness: new Map([['event-store', () => eventStore.check()]]),
    serving,
    failed,
    served,
    // Work that waits for `serving` ends at once.
    stop: () => {
      stopping.abort();
      served();
    },
    close: async () => {
      stopping.abort();
      served();
      rateLimits.close();
      post.close();
      get.close();
      pushPost.close();
      await pictureDecoder.close();
      await projections.close();
      await statusCache?.close();
      await messageBus.close();
      await jobQueue.close();
      await erasureList.close();
      await eventStore.close();
      if (!given) await lasting.close();
    },
  };
};

const createDataDirectory = async (path: string): Promise<void> => {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.W_OK);
  } catch (error) {
    throw new InvalidSettings([
      `DATA_DIR must be a directory that this user may write to; ${path} is not (${String((error as NodeJS.ErrnoException).code)}).`,
    ]);
  }
};
