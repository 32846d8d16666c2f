import type { PlatformSettings } from '#service/config';
import { MARK_CHECK_INTERVAL } from '#engines/event-store';
import { CHECKPOINT_INTERVAL } from '#engines/transparency-log';
import { recurUntil } from '#kernel';
import { openAuditForwarding, openCheckpointWriter, openMarkWriter, openPlatform, type Platform, serveApplications } from '#service/platform';

import { startEventRelay } from '../../event-relay/src/app.js';
import { applications } from './applications.js';
import { type DemoAccess, phoneForDemo, seedDemo, startDemoServer } from './demo.js';
import { DOCUMENT_PREFIXES, serveDocuments, serveFront } from './front/serve-front.js';

export interface Standalone {
  readonly platform: Platform;
  readonly demo: DemoAccess | undefined;
  /** Opens the web phone as the phone of the demo's first person. */
  readonly phoneLink: string | undefined;
  /** Resolves when the process has to end, with the reason. */
  readonly failed: Promise<Error>;
  /** Answers the requests that have arrived, then closes everything. */
  close(): Promise<void>;
}

/** Starts all applications in this process, on one store and one port, with their documentation and the demo. */
export const startStandalone = async (settings: PlatformSettings): Promise<Standalone> => {
  const platform = await openPlatform(settings);
  // Before the first request is answered: a reader of /readyz finds the credentials of the demo in its file.
  const demo = settings.demo ? await seedDemo(platform) : undefined;
  const phoneLink = settings.demo ? await phoneForDemo(platform) : undefined;
  const served = await serveApplications(platform, applications(settings), {
    prefixes: ['/welcome'],
    prepare: (front) => serveFront(front, platform),
    documents: { prefixes: DOCUMENT_PREFIXES, prepare: (app) => serveDocuments(app, platform) },
  });
  // With KAFKA_BROKERS the relay publishes the events to Kafka. The readiness of the process does not depend on it.
  const relay = settings.kafkaBrokers && startEventRelay(platform);
  // The relay writes the marks of the store and the checkpoints of the history, and forwards the audit trail, too.
  const writing = relay ? [] : [writeMarks(platform), writeCheckpoints(platform), forwardAuditTrail(platform)];
  const demoServer = demo && (await startDemoServer(platform, demo));
  return {
    platform,
    demo,
    phoneLink,
    failed: platform.failed,
    close: async () => {
      platform.stop();
      await demoServer?.close();
      await served.close();
      await Promise.all(writing);
      await relay?.close();
      await platform.close();
    },
  };
};

/** Writes the marks of the store until the platform stops. A failure is repeated. */
const writeMarks = (platform: Platform): Promise<void> => {
  const { clock, stopping } = platform;
  const writer = openMarkWriter(platform);
  return recurUntil(stopping, { clock, interval: MARK_CHECK_INTERVAL, work: () => writer.write(stopping) });
};

/** Sends the audit trail to other systems until the platform stops. */
const forwardAuditTrail = async (platform: Platform): Promise<void> => openAuditForwarding(platform)?.run(platform.stopping);

/** Publishes the checkpoints of the history until the platform stops. */
const writeCheckpoints = async (platform: Platform): Promise<void> => {
  const { clock, stopping } = platform;
  const checkpoints = openCheckpointWriter(platform);
  if (checkpoints) await recurUntil(stopping, { clock, interval: CHECKPOINT_INTERVAL, work: () => checkpoints.write(stopping) });
};
