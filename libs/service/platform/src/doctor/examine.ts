import { access, constants, mkdir } from 'node:fs/promises';

import {
  InvalidSettings,
  isGuarded,
  KeyDirectory,
  keySealOf,
  KeySealProblem,
  listKeys,
  loadPlatformSettings,
  type PlatformSettings,
} from '#service/config';
import { type Clock, SystemClock, SystemRandomness } from '#kernel';
import { SilentLog } from '#telemetry';

import { anchorDirectoryProblems } from '../anchor-directory.js';
import { assertEngineFiles } from '../engine-access.js';
import { firstStartTokenProblems } from '../open-first-start-token.js';
import { checkAnchorUrl } from './check-anchor-url.js';
import { checkAddresses, checkPorts } from './check-addresses.js';
import { checkCertificateFiles } from './check-certificates.js';
import { checkEngines } from './check-engines.js';
import { checkOrigins } from './check-origins.js';
import { checkRunning, isRunning } from './check-running.js';
import { checkTrustServices } from './check-trust-services.js';
import { type DoctorFinding, findingsOf } from './finding.js';

interface Options {
  readonly clock?: Clock;
  /** PEM: the CA of the public addresses. Default: the CAs that Node trusts. */
  readonly ca?: string;
}

/**
 * Everything that a start with these environment variables needs: settings, folder, keys, certificates, engines, trust services, ports, addresses and clocks. Makes no key and stores nothing;
 * it makes `DATA_DIR`. If the settings are wrong, it examines nothing else. Where the service runs, it also asks it, and proves by the public addresses that its origins are apart and its proxies name their callers.
 */
export const examine = async (environment: NodeJS.ProcessEnv, { clock = new SystemClock(), ca }: Options = {}): Promise<readonly DoctorFinding[]> => {
  const loaded = problemsOf(() => loadPlatformSettings(environment));
  if (Array.isArray(loaded)) return findingsOf('settings', loaded);
  const settings = loaded as PlatformSettings;
  const running = await isRunning(settings);
  const guarded = isGuarded(settings.environment);
  const files = problemsOf(() => assertEngineFiles(settings));
  return [
    { subject: 'settings' },
    ...findingsOf('DATA_DIR', await checkDataDirectory(settings.dataDirectory)),
    ...(settings.anchorDirectory === undefined ? [] : findingsOf('ANCHOR_DIR', await anchorDirectoryProblems(settings))),
    ...findingsOf('ADMIN_TOKEN', await firstStartTokenProblems(settings)),
    ...findingsOf('KEY_DIR', await checkKeys(settings, clock)),
    ...(Array.isArray(files) ? findingsOf('files of the engines', files) : []),
    ...(await checkCertificateFiles(settings, clock)),
    ...(Array.isArray(files) ? [] : await checkEngines(settings, clock)),
    ...(await checkTrustServices(settings, clock)),
    // Without its files the server cannot be asked.
    ...(Array.isArray(files) ? [] : await checkAnchorUrl(settings)),
    ...(await checkPorts(settings, running)),
    // In development and test the service itself answers there, once it runs.
    ...(guarded ? await checkAddresses(settings, clock, ca) : []),
    ...(guarded && running ? await checkOrigins(settings, ca) : []),
    ...(running ? await checkRunning(settings) : []),
  ];
};

/** The result of the work, or the problems of the settings that it throws. */
const problemsOf = <Answer>(work: () => Answer): Answer | string[] => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    return [...error.problems];
  }
};

const checkDataDirectory = async (path: string): Promise<readonly string[]> => {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.W_OK);
    return [];
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    return [`DATA_DIR: this user cannot write to ${path} (${code}). Give it to the user of the service, or set DATA_DIR to another folder.`];
  }
};

/** In development and test the first start makes the files, so only those that stand are read. */
const checkKeys = async (settings: PlatformSettings, clock: Clock): Promise<readonly string[]> => {
  const { keyDirectory: path } = settings;
  const guarded = isGuarded(settings.environment);
  const randomness = new SystemRandomness();
  const seal = keySealOf(settings, randomness);
  try {
    if (!guarded) await listKeys(path, { clock, seal });
    else (await KeyDirectory.open({ path, clock, guarded, randomness, seal, log: new SilentLog() }))[Symbol.dispose]();
    return [];
  } catch (error) {
    if ((error as Error).cause instanceof KeySealProblem) return [(error as Error).message];
    return error instanceof InvalidSettings ? error.problems : [`KEY_DIR: ${(error as Error).message}. Correct the file (docs/configuration.md).`];
  }
};
