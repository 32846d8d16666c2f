import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { bearerAuthentication, createHttpApp, FailureThrottle } from '#http';
import type { Application, Platform } from '#platform';

import { erasingUseCases } from './erasing-use-cases.js';
import { RegistryModule } from './registry.module.js';

/** `/admin/v1`, every path of it behind the admin token. */
export const createRegistryApp = async (platform: Platform): Promise<NestFastifyApplication> => {
  const { settings, log, metrics, rateLimits } = platform;
  await resumeErasures(platform);
  return createHttpApp(RegistryModule.register(platform), {
    log,
    metrics,
    trustedProxies: settings.trustedProxies,
    onRequest: [bearerAuthentication(platform.adminToken, new FailureThrottle(rateLimits, 'admin-failures', settings.authenticationFailureLimit))],
  });
};

const resumeErasures = async (platform: Platform): Promise<void> => {
  const count = await erasingUseCases(platform).resumeErasures.execute();
  if (count > 0) platform.log.info('erasures taken up again', { component: 'registry', count });
};

export const registry: Application = { create: createRegistryApp, prefixes: () => ['/admin', '/portal'] };
