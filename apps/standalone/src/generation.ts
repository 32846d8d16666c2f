import type { PlatformSettings } from '#service/config';
import { MARK_CHECK_INTERVAL } from '#engines/event-store';
import { CHECKPOINT_INTERVAL } from '#engines/transparency-log';
import { recurUntil } from '#kernel';
import {
  type LastingParts,
  type MadeApplications,
  makeApplications,
  openAuditForwarding,
  openCheckpointWriter,
  openMarkWriter,
  openPlatform,
  type Platform,
} from '#service/platform';

import { startEventRelay } from '../../event-relay/src/app.js';
import type { SandboxControl } from '../../sandbox/src/app.js';
import { type SandboxAccess, seedSandbox } from '../../sandbox/src/seed/seed-sandbox.js';
import { applications } from './applications.js';
import type { DemoAccess } from './demo.js';
import { DOCUMENT_PREFIXES, serveDocuments, serveFront } from './front/serve-front.js';

/** All of the process that stands on its store: what a reset of the sandbox makes anew. */
export interface Generation {
  readonly platform: Platform;
  readonly made: MadeApplications;
  readonly demo: DemoAccess | undefined;
  readonly sandbox: SandboxAccess | undefined;
  readonly phoneLink: string | undefined;
  readonly failed: Promise<Error>;
  /** Begins what goes on beside requests. Call it when they are answered. */
  begin(): Promise<void>;
  /** Ends long polls and the demo. Requests are answered further. */
  stop(): Promise<void>;
  /** Closes everything. Call it when no request is under way. */
  close(): Promise<void>;
}

export interface GenerationOptions {
  readonly lasting: LastingParts;
  readonly sandboxRedirectUris?: readonly string[] | undefined;
  readonly sandboxControl?: SandboxControl | undefined;
}

/** Opens the store and makes the applications, with their documentation, the demo and what a sandbox has from the start. */
export const openGeneration = async (
  settings: PlatformSettings,
  { lasting, sandboxRedirectUris, sandboxControl }: GenerationOptions,
): Promise<Generation> => {
  const platform = await openPlatform(settings, { lasting });
  const sandbox = await seedSandbox(platform, sandboxRedirectUris);
  // Before the first request is answered: a reader of /readyz finds the credentials of the demo in its file.
  const demoModule = settings.demo ? await import('./demo.js') : undefined;
  const demo = await demoModule?.seedDemo(platform);
  const phoneLink = await demoModule?.phoneForDemo(platform);
  const made = await makeApplications(platform, applications(settings, sandboxControl), {
    prefixes: ['/welcome'],
    prepare: (front) => serveFront(front, platform),
    documents: { prefixes: DOCUMENT_PREFIXES, prepare: (app) => serveDocuments(app, platform) },
  });
  // With KAFKA_BROKERS the relay publishes the events to Kafka. The readiness of the process does not depend on it.
  let relay: ReturnType<typeof startEventRelay> | undefined;
  let writing: readonly Promise<void>[] = [];
  let demoServer: { close(): Promise<void> } | undefined;
  return {
    platform,
    made,
    demo,
    sandbox,
    phoneLink,
    failed: platform.failed,
    begin: async () => {
      platform.served();
      relay = settings.kafkaBrokers && startEventRelay(platform);
      // The relay writes the marks of the store and the checkpoints of the history, and forwards the audit trail, too.
      writing = relay ? [] : [writeMarks(platform), writeCheckpoints(platform), forwardAuditTrail(platform)];
      demoServer = demo && (await demoModule?.startDemoServer(platform, demo));
    },
    stop: async () => {
      platform.stop();
      await demoServer?.close();
    },
    close: async () => {
      await made.close();
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
