import type { FastifyInstance } from 'fastify';

import type { PlatformSettings } from '#config';
import { createPlainApp, type HttpApp, type Mount, serve, serveOperations } from '#http';

import type { Platform } from './platform.js';

export interface Application {
  readonly create: (platform: Platform) => Promise<HttpApp>;
  /** Everything below these paths is its own. */
  readonly prefixes: (settings: PlatformSettings) => readonly string[];
}

/** The path of a public address, as a prefix: empty where the address is an origin of its own. */
export const pathOf = (url: string): string => new URL(url).pathname.replace(/\/+$/, '');

/** What answers beside the applications. */
export interface Front {
  readonly prefixes: readonly string[];
  /** Adds its routes, knowing the applications. */
  readonly prepare: (front: FastifyInstance, apps: readonly HttpApp[]) => Promise<void>;
}

export interface ServedApplications {
  /** Answers what is under way, then closes the applications. The platform stays open. */
  close(): Promise<void>;
}

const OPERATIONS = ['/livez', '/readyz', '/metrics'];

/**
 * Applications behind one port, told apart by the path, each a Nest application of its own; health and metrics beside
 * them, or on OPS_PORT alone when that is set.
 */
export const serveApplications = async (platform: Platform, applications: readonly Application[], beside?: Front): Promise<ServedApplications> => {
  const { settings, metrics, readiness, stopping } = platform;
  const { host, port, opsPort, idleGrace } = settings;
  const apps = await Promise.all(applications.map(async ({ create, prefixes }) => ({ app: await create(platform), prefixes })));
  const front = createPlainApp();
  await beside?.prepare(front, apps.map(({ app }) => app));
  const operations = opsPort === undefined ? front : createPlainApp();
  serveOperations(operations, { metrics, checks: readiness, stopping });

  const mounts: Mount[] = [
    ...[...OPERATIONS, ...(beside?.prefixes ?? [])].map((prefix) => ({ prefix, app: front })),
    ...apps.flatMap(({ app, prefixes }) => prefixes(settings).map((prefix) => ({ prefix, app }))),
  ];
  const servers = [await serve({ host, port, mounts, fallback: front, idleGrace: idleGrace * 1000 })];
  if (opsPort !== undefined) servers.push(await serve({ host, port: opsPort, mounts: [], fallback: operations }));
  return {
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
      await Promise.all([...apps.map(({ app }) => app.close()), operations.close(), front.close()]);
    },
  };
};
