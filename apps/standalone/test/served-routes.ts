import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { FastifyInstance } from 'fastify';

import { loadPlatformSettings } from '#service/config';
import type { Platform } from '#service/platform';

import { startStandalone } from '../src/start.js';
import { reservePort } from '../../../testkit/processes/reserve-port.ts';

/** A route as its application has added it. */
export interface ServedRoute {
  readonly method: string;
  /** `/admin/v1/clients/:clientId`. */
  readonly path: string;
  /** The port that answers it. */
  readonly port: number;
}

export interface ServedRoutes {
  readonly routes: readonly ServedRoute[];
  readonly platform: Platform;
  /** Of the public port. */
  readonly baseUrl: string;
  /** Sends a request to the route, with an unknown id for each parameter of its path. */
  call(route: ServedRoute, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** An id that nothing has. */
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

export const nameOf = ({ method, path }: Pick<ServedRoute, 'method' | 'path'>): string => `${method} ${path}`;

/** The path of a request to the route, with that text in place of each parameter. */
export const requestPath = (path: string, parameter = UNKNOWN_ID): string => path.replaceAll(/:\w+|\*$/g, parameter);

/** Fastify tells every instance that it makes on this channel. */
const INSTANCES = 'fastify.initialization';

/**
 * The inventory of routes: those of all applications, of the front and of the port of operations, as Fastify gets them when the one process starts. A new route of any application is in
 * it without being named anywhere. HEAD is answered by the routes of GET, and OPTIONS by the plugin that answers browsers before a call from another origin: both are left out.
 */
export const servedRoutes = async (environment: Readonly<Record<string, string>> = {}): Promise<ServedRoutes> => {
  const directory = await mkdtemp(join(tmpdir(), 'served-routes-'));
  const [port, opsPort] = [await reservePort(), await reservePort()];
  const added: { readonly method: string; readonly path: string }[][] = [];
  const watch = (message: unknown): void => {
    const routes: { readonly method: string; readonly path: string }[] = [];
    added.push(routes);
    (message as { readonly fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) if (each !== 'HEAD' && each !== 'OPTIONS') routes.push({ method: each, path: url });
    });
  };
  subscribe(INSTANCES, watch);
  // Checkpoints on another disk: no call of a route resets the sandbox.
  const kept = { ANCHOR_DIR: join(directory, 'checkpoints') };
  const own = {
    PORT: String(port),
    OPS_PORT: String(opsPort),
    DATA_DIR: join(directory, 'data'),
    LOG_LEVEL: 'silent',
    DEMO: 'false',
    SANDBOX: 'true',
    ...kept,
  };
  const standalone = await startStandalone(loadPlatformSettings({ ...own, ...environment })).finally(() => unsubscribe(INSTANCES, watch));
  const portOf = (routes: readonly { readonly path: string }[]): number => (routes.some(({ path }) => path === '/livez') ? opsPort : port);
  return {
    routes: added.flatMap((routes) => routes.map((route) => ({ ...route, port: portOf(routes) }))),
    platform: standalone.platform,
    baseUrl: `http://127.0.0.1:${port}`,
    call: ({ method, path, port: at }, init = {}) => fetch(`http://127.0.0.1:${at}${requestPath(path)}`, { method, redirect: 'manual', ...init }),
    close: async () => {
      await standalone.close();
      await rm(directory, { recursive: true });
    },
  };
};
