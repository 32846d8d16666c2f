import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { basicAuthentication, createHttpApp, FailureThrottle } from '#service/http';
import type { Application, Platform } from '#service/platform';

import { SESSION_BUDGETS } from './session-budgets.js';
import { SessionApiModule } from './session-api.module.js';

/** `/relying-party/v1`, behind HTTP Basic. */
export const createSessionApiApp = async (platform: Platform): Promise<NestFastifyApplication> => {
  const { settings, log, metrics, rateLimits, proxyReports } = platform;
  const { authenticateClient } = platform.useCases.relyingParties();
  const throttle = new FailureThrottle(rateLimits, 'client-failures', settings.authenticationFailureLimit);
  return createHttpApp(SessionApiModule.register(platform), {
    log,
    metrics,
    trustedProxies: settings.trustedProxies,
    proxyReports,
    budgets: SESSION_BUDGETS,
    onRequest: [basicAuthentication(authenticateClient, throttle)],
  });
};

export const sessionApi: Application = { create: createSessionApiApp, prefixes: () => ['/relying-party'] };
