import type { FastifyInstance } from 'fastify';

import { isGuarded, type PlatformSettings } from '#service/config';
import { createPlainApp, type HttpApp, type Mount, type Mounts, type RequestGate, serve, serveOperations } from '#service/http';

import type { RunningPlatform } from './open-platform.js';
import type { Platform } from './platform.js';

export interface Application {
  readonly create: (platform: Platform) => Promise<HttpApp>;
  /** The application answers everything below these paths. */
  readonly prefixes: (settings: PlatformSettings) => readonly string[];
}

/** The path of a public address as a prefix; empty if the address is an origin of its own. */
export const pathOf = (url: string): string => new URL(url).pathname.replace(/\/+$/, '');

interface Routes {
  readonly prefixes: readonly string[];
  /** Adds the routes. */
  readonly prepare: (app: FastifyInstance) => Promise<void>;
}

/** Routes beside those of the applications. */
export interface Front extends Routes {
  /** Descriptions of the API. A guarded environment shows them on OPS_PORT alone. */
  readonly documents?: Routes;
}

export interface ServedApplications {
  /** Answers the requests that have arrived, then closes the applications. The platform stays open. */
  close(): Promise<void>;
}

const OPERATIONS = ['/livez', '/readyz', '/metrics'];

/** Applications that are ready to answer, but behind no port yet. */
export interface MadeApplications {
  readonly mounts: Mounts;
  /** Of OPS_PORT. Undefined where it is not set. */
  readonly operations: Mounts | undefined;
  close(): Promise<void>;
}

/**
 * Makes the applications, each a Nest application of its own, routed by path. Health and metrics are beside them, or only on OPS_PORT when that is set. A guarded environment shows
 * metrics and documents on OPS_PORT alone.
 */
export const makeApplications = async (platform: Platform, applications: readonly Application[], beside?: Front): Promise<MadeApplications> => {
  const { settings, metrics, readiness, proxyReports, stopping } = platform;
  const { opsPort, environment } = settings;
  const apps = await Promise.all(applications.map(async ({ create, prefixes }) => ({ app: await create(platform), prefixes })));
  const front = createPlainApp();
  await beside?.prepare(front);
  const operations = opsPort === undefined ? front : createPlainApp();
  // Metrics disclose the activity of relying parties, and documents help an attacker to try everything, so a guarded environment keeps both off the public port.
  const guarded = isGuarded(environment);
  serveOperations(operations, {
    metrics: guarded && opsPort === undefined ? undefined : metrics,
    checks: readiness,
    warnings: () => proxyReports.warnings(),
    stopping,
  });
  if (!guarded) await beside?.documents?.prepare(front);
  else if (opsPort !== undefined) await beside?.documents?.prepare(operations);

  const mounts: Mount[] = [
    ...[...OPERATIONS, ...(beside?.prefixes ?? []), ...(beside?.documents?.prefixes ?? [])].map((prefix) => ({ prefix, app: front })),
    ...apps.flatMap(({ app, prefixes }) => prefixes(settings).map((prefix) => ({ prefix, app }))),
  ];
  return {
    mounts: { mounts, fallback: front },
    operations: opsPort === undefined ? undefined : { mounts: [], fallback: operations },
    close: async () => {
      await Promise.all([...apps.map(({ app }) => app.close()), operations.close(), front.close()]);
    },
  };
};

/** The ports of the process. */
export interface Ports {
  /** From now on these applications answer the requests that begin. */
  mount(made: MadeApplications): Promise<void>;
  /** Answers the requests that have arrived. */
  close(): Promise<void>;
}

/** Serves the applications on PORT, and on OPS_PORT when that is set. `gate`: through which the requests to PORT go. */
export const openPorts = async (
  { host, port, opsPort, idleGrace, baseUrl }: PlatformSettings,
  made: MadeApplications,
  gate?: RequestGate,
): Promise<Ports> => {
  const https = new URL(baseUrl).protocol === 'https:';
  const main = await serve({ host, port, ...made.mounts, idleGrace: idleGrace * 1000, https, ...(gate && { gate }) });
  const operations = opsPort !== undefined && made.operations ? await serve({ host, port: opsPort, ...made.operations }) : undefined;
  return {
    mount: async (next) => {
      await main.mount(next.mounts);
      if (next.operations) await operations?.mount(next.operations);
    },
    close: async () => {
      await Promise.all([main.close(), operations?.close()]);
    },
  };
};

/** Serves applications on the ports of the settings, and tells the platform when it does. */
export const serveApplications = async (
  platform: RunningPlatform,
  applications: readonly Application[],
  beside?: Front,
): Promise<ServedApplications> => {
  const made = await makeApplications(platform, applications, beside);
  const ports = await openPorts(platform.settings, made);
  platform.served();
  return {
    close: async () => {
      await ports.close();
      await made.close();
    },
  };
};
