import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { eventually } from '#testkit/kernel/eventually';

import { ReplicaService } from './replica-service.js';
import { runDirectory } from './run-directory.js';
import { secret } from './secrets.js';
import { Service } from './service.js';
import { StandaloneService } from './standalone-service.js';
import { topology } from './topology.js';

/** Milliseconds that a read may lag behind a write over replicas (specification/storage.md#client-records-in-caches). */
const STALENESS = 1000;

/** The services that clients, browsers and phones talk to. */
const FRONT: readonly string[] = ['session-api', 'login-bff', 'device-api'];

/** Whether the suite starts the processes itself, everything in one: then files may have one of their own, with a movable clock. */
export const startsProcesses = !(process.env['BASE_URLS'] ?? process.env['BASE_URL']);

/** The service of all files that do not move its clock: BASE_URL, or a process that the first file starts. */
export const sharedService = async (): Promise<Service> => {
  const given = process.env['BASE_URLS'] ?? process.env['BASE_URL'];
  if (given) {
    const token = secret('admin token', required('ADMIN_TOKEN'));
    return new Service(given.split(','), required('LOGIN_URL'), token, Number(process.env['STALENESS_MS'] ?? STALENESS));
  }
  const note = join(runDirectory(), 'shared.json');
  if (!existsSync(note)) {
    const { baseUrls, loginUrl, adminToken, pid } = await StandaloneService.start('shared');
    writeFileSync(note, JSON.stringify({ baseUrls, loginUrl, adminToken, pid }));
  }
  const { baseUrls, loginUrl, adminToken } = JSON.parse(readFileSync(note, 'utf8')) as StandaloneService;
  return new Service(baseUrls, loginUrl, adminToken, 0);
};

/**
 * Ends the shared process for a file that moves its own clock, if both use one store (ESDB_URL): it would do the work of
 * that file's sessions at another time. The next file that needs it starts another one.
 */
export const retireSharedService = async (): Promise<void> => {
  const note = join(runDirectory(), 'shared.json');
  if (!process.env['ESDB_URL'] || !existsSync(note)) return;
  const { pid } = JSON.parse(readFileSync(note, 'utf8')) as { pid: number };
  rmSync(note);
  process.kill(pid, 'SIGTERM');
  await eventually(() => !isAlive(pid), { what: 'the shared service has ended' });
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** A service of a file's own, with settings of its own, that may be stopped and started again. */
export type OwnService = StandaloneService | ReplicaService;

/** Whether {@link startOwn} works: it does not against a target at BASE_URL. */
export const startsOwn = startsProcesses || topology !== undefined;

/** A process of its own; on the distributed topology, replicas of their own of the services that the settings are for, on its engines. */
export const startOwn = (name: string, settings: Readonly<Record<string, string>> = {}, services = FRONT): Promise<OwnService> =>
  topology ? ReplicaService.start(topology, { name, settings, services }, STALENESS) : StandaloneService.start(name, settings);

const required = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is needed beside BASE_URL`);
  return value;
};
