import type { PlatformSettings } from '#config';
import { createPlainApp, type Mount, openApiDocument, serve, serveApiDocumentation, serveOperations } from '#http';
import { openPlatform, type Platform } from '#platform';

import { applications } from './applications.js';
import { type DemoAccess, seedDemo, startDemoServer } from './demo.js';

export interface Standalone {
  readonly platform: Platform;
  readonly demo: DemoAccess | undefined;
  /** Answers what is under way, then closes everything. */
  close(): Promise<void>;
}

const FRONT = ['/livez', '/readyz', '/metrics', '/docs', '/openapi.json'];

/** All applications in this process, each a Nest application of its own, over one store and behind one port. */
export const startStandalone = async (settings: PlatformSettings): Promise<Standalone> => {
  const platform = await openPlatform(settings);
  const apps = await Promise.all(
    applications(settings).map(async ({ create, prefixes }) => ({ app: await create(platform), prefixes })),
  );
  const front = createPlainApp();
  await serveApiDocumentation(front, openApiDocument(apps.map(({ app }) => app), settings.baseUrl));
  const { host, port, opsPort } = settings;
  const ops = opsPort === undefined ? front : createPlainApp();
  serveOperations(ops, { metrics: platform.metrics, checks: platform.readiness, stopping: platform.stopping });
  const demo = settings.demo ? await seedDemo(platform) : undefined;

  const mounts: Mount[] = [
    ...FRONT.map((prefix) => ({ prefix, app: front })),
    ...apps.flatMap(({ app, prefixes }) => prefixes.map((prefix) => ({ prefix, app }))),
  ];
  const servers = [await serve({ host, port, mounts, fallback: front })];
  if (opsPort !== undefined) servers.push(await serve({ host, port: opsPort, mounts: [], fallback: ops }));
  const demoServer = demo && (await startDemoServer(platform, demo));

  return {
    platform,
    demo,
    close: async () => {
      platform.stop();
      await demoServer?.close();
      await Promise.all(servers.map((server) => server.close()));
      await Promise.all([...apps.map(({ app }) => app.close()), ops.close(), front.close()]);
      await platform.close();
    },
  };
};
