import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { ServiceUnavailable } from '#kernel';
import { isGuarded } from '#service/config';
import { createHttpApp } from '#service/http';
import { type Application, MovableClock, type Platform } from '#service/platform';

import { faultsOf } from './faults/faults.js';
import { knownCallers } from './known-callers.js';
import type { SandboxControl } from './resetting.js';
import { SANDBOX_BUDGETS } from './sandbox-budgets.js';
import { SandboxModule } from './sandbox.module.js';

export type { SandboxControl } from './resetting.js';

/** Of an application that is made to be looked at. */
const NO_CONTROL: SandboxControl = { reset: () => Promise.reject(new ServiceUnavailable('nothing holds this sandbox')) };

/** `/sandbox/v1`, for the machine that it runs on, and the networks that the settings name. Throws in a guarded environment, and without `SANDBOX`. */
export const createSandboxApp = async (platform: Platform, control = NO_CONTROL): Promise<NestFastifyApplication> => {
  const { settings, clock, log, metrics, recordedWebhooks } = platform;
  if (isGuarded(settings.environment) || !settings.sandbox)
    throw new Error('the sandbox is off: it needs ENVIRONMENT development or test, and SANDBOX');
  if (!(clock instanceof MovableClock)) throw new Error('the sandbox needs a clock that can be moved');
  if (!recordedWebhooks) throw new Error('the sandbox needs the webhooks that are recorded');
  const module = SandboxModule.register(platform, { clock, recordedWebhooks, faults: faultsOf(platform), control });
  const callers = knownCallers({ networks: settings.sandboxAllowedNetworks, hosts: settings.sandboxAllowedHosts });
  return createHttpApp(module, { log, metrics, budgets: SANDBOX_BUDGETS, onRequest: [callers] });
};

/** `control`: of the process that holds it. */
export const sandboxOf = (control?: SandboxControl): Application => ({
  create: (platform) => createSandboxApp(platform, control),
  prefixes: () => ['/sandbox'],
});
