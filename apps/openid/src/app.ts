import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { callerOf, createHttpApp, FailureThrottle, inFairTurns, limitRoutes, parseFormBodies } from '#service/http';
import type { Application, Platform } from '#service/platform';
import { assertionAudiences } from '#domain/openid';
import { type Client, provesByKeysAlone, type RelyingPartyUseCases } from '#domain/relying-party';

import { authenticateClients } from './client-authentication.js';
import { OAuthErrorFilter } from './oauth-error.filter.js';
import { OPENID_BUDGETS } from './openid-budgets.js';
import { OpenIdModule } from './openid.module.js';

/** RFC 8414 section 3.1: the path of the issuer stands behind the well-known one. */
const METADATA = '/.well-known/oauth-authorization-server';

/** The provider of OpenID Connect: logins for relying parties that bring a library of their own. */
export const createOpenIdApp = (platform: Platform): Promise<NestFastifyApplication> => {
  const { settings, log, metrics, rateLimits, proxyReports, turns } = platform;
  const { authenticateClient } = platform.useCases.relyingParties();
  const { clientAssertions } = platform.useCases.clientKeys();
  const audiences = assertionAudiences(settings.issuerUrl);
  const assertions = { execute: (assertion: string) => clientAssertions.execute(assertion, audiences) };
  const throttle = new FailureThrottle(rateLimits, 'client-failures', settings.authenticationFailureLimit);
  return createHttpApp(OpenIdModule.register(platform, throttle), {
    log,
    metrics,
    trustedProxies: settings.trustedProxies,
    proxyReports,
    budgets: OPENID_BUDGETS,
    filter: new OAuthErrorFilter(settings.baseUrl),
    onRequest: [limitRoutes(rateLimits, OPENID_BUDGETS, (request) => ({ principal: callerOf(request) }))],
    configure: (fastify) => {
      parseFormBodies(fastify);
      authenticateClients(fastify, { secrets: secretsOf(authenticateClient), assertions }, throttle);
      fastify.addHook('preValidation', inFairTurns(turns));
    },
  });
};

type Secrets = Pick<RelyingPartyUseCases['authenticateClient'], 'execute' | 'recent'>;

/** The secret of a client that proves itself by its keys alone opens the native API, and nothing here. */
const secretsOf = (clients: Secrets): Secrets => {
  const unlessByKeys = (client: Client | undefined) => (client && provesByKeysAlone(client) ? undefined : client);
  return {
    execute: async (clientId, secretHash) => unlessByKeys(await clients.execute(clientId, secretHash)),
    recent: (clientId, secretHash) => unlessByKeys(clients.recent(clientId, secretHash)),
  };
};

export const openId: Application = { create: createOpenIdApp, prefixes: () => ['/openid', METADATA] };
