import type { FastifyInstance } from 'fastify';

import { isGuarded, type PlatformSettings } from '#service/config';
import { createPlainApp, type HttpApp, type Mount, serve, serveOperations } from '#service/http';

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

/**
 * Serves applications on one port, each a Nest application of its own, routed by path, and tells the platform when it does. Health and metrics are served
 * beside them, or only on OPS_PORT when that is set. A guarded environment shows metrics and documents on OPS_PORT alone.
 */
export const serveApplications = async (
  platform: RunningPlatform,
  applications: readonly Application[],
  beside?: Front,
): Promise<ServedApplications> => {
  const { settings, metrics, readiness, proxyReports, stopping } = platform;
  const { host, port, opsPort, idleGrace, baseUrl, environment } = settings;
  const https = new URL(baseUrl).protocol === 'https:';
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
  const servers = [await serve({ host, port, mounts, fallback: front, idleGrace: idleGrace * 1000, https })];
  if (opsPort !== undefined) servers.push(await serve({ host, port: opsPort, mounts: [], fallback: operations }));
  platform.served();
  return {
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
      await Promise.all([...apps.map(({ app }) => app.close()), operations.close(), front.close()]);
    },
  };
};
