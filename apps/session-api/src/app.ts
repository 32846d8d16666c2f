import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { basicAuthentication, createHttpApp, FailureThrottle, inFairTurns } from '#service/http';
import type { Application, Platform } from '#service/platform';

import { SESSION_BUDGETS } from './session-budgets.js';
import { SessionApiModule } from './session-api.module.js';

/** `/relying-party/v1`, behind HTTP Basic or an assertion of the client. */
export const createSessionApiApp = async (platform: Platform): Promise<NestFastifyApplication> => {
  const { settings, log, metrics, rateLimits, proxyReports, turns } = platform;
  const { authenticateClient } = platform.useCases.relyingParties();
  const { clientAssertions } = platform.useCases.clientKeys();
  const clients = {
    execute: authenticateClient.execute.bind(authenticateClient),
    recent: authenticateClient.recent.bind(authenticateClient),
    byAssertion: (assertion: string) => clientAssertions.execute(assertion, [settings.baseUrl]),
    stillStands: (assertion: string) => clientAssertions.stillStands(assertion, [settings.baseUrl]),
  };
  const throttle = new FailureThrottle(rateLimits, 'client-failures', settings.authenticationFailureLimit);
  return createHttpApp(SessionApiModule.register(platform), {
    log,
    metrics,
    trustedProxies: settings.trustedProxies,
    proxyReports,
    budgets: SESSION_BUDGETS,
    onRequest: [basicAuthentication(clients, throttle), inFairTurns(turns)],
  });
};

export const sessionApi: Application = { create: createSessionApiApp, prefixes: () => ['/relying-party'] };
