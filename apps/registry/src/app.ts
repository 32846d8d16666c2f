import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { bearerAuthentication, createHttpApp, FailureThrottle } from '#http';
import { erasureUseCases } from '#identity';
import type { Application, Platform } from '#platform';
import { sessionErasures } from '#session';

import { RegistryModule } from './registry.module.js';
import { startErasures } from './start-erasures.js';

/** `/admin/v1`. Every path requires the admin token. */
export const createRegistryApp = async (platform: Platform): Promise<NestFastifyApplication> => {
  const { settings, log, metrics, rateLimits, serving, stopping } = platform;
  const eventStore = platform.projections.noting(platform.eventStore);
  const erasures = erasureUseCases({ ...platform, eventStore }, sessionErasures(platform));
  // Not awaited: the service listens while interrupted erasures are found and finished.
  void serving.then(() => startErasures(erasures.reconciler(stopping), platform));
  return createHttpApp(RegistryModule.register(platform, erasures), {
    log,
    metrics,
    trustedProxies: settings.trustedProxies,
    onRequest: [bearerAuthentication(platform.adminToken, new FailureThrottle(rateLimits, 'admin-failures', settings.authenticationFailureLimit))],
  });
};

export const registry: Application = { create: createRegistryApp, prefixes: () => ['/admin', '/portal'] };
