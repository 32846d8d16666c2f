import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { isGuarded } from '#service/config';
import { createHttpApp } from '#service/http';
import { type Application, MovableClock, type Platform } from '#service/platform';

import { faultsOf } from './faults/faults.js';
import { loopbackOnly } from './loopback-only.js';
import { SANDBOX_BUDGETS } from './sandbox-budgets.js';
import { SandboxModule } from './sandbox.module.js';

/**
 * `/sandbox/v1`, for the machine that it runs on only. Throws in a guarded environment, and without
 * `SANDBOX`.
 */
export const createSandboxApp = async (platform: Platform): Promise<NestFastifyApplication> => {
  const { settings, clock, log, metrics } = platform;
  if (isGuarded(settings.environment) || !settings.sandbox)
    throw new Error('the sandbox is off: it needs ENVIRONMENT development or test, and SANDBOX');
  if (!(clock instanceof MovableClock)) throw new Error('the sandbox needs a clock that can be moved');
  const module = SandboxModule.register(platform, clock, faultsOf(platform));
  return createHttpApp(module, { log, metrics, budgets: SANDBOX_BUDGETS, onRequest: [loopbackOnly] });
};

export const sandbox: Application = { create: createSandboxApp, prefixes: () => ['/sandbox'] };
