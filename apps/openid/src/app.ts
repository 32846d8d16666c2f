import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { callerOf, createHttpApp, FailureThrottle, inFairTurns, limitRoutes, parseFormBodies } from '#service/http';
import type { Application, Platform } from '#service/platform';
import { assertionAudiences } from '#domain/openid';
import type { Client, RelyingPartyUseCases } from '#domain/relying-party';

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

/** A client that signs its requests proves itself by its keys alone (FAPI 2.0 Security Profile section 5.3.2.1). */
const secretsOf = (clients: Secrets): Secrets => {
  const unlessSigning = (client: Client | undefined) => (client?.requireSignedRequestObject ? undefined : client);
  return {
    execute: async (clientId, secretHash) => unlessSigning(await clients.execute(clientId, secretHash)),
    recent: (clientId, secretHash) => unlessSigning(clients.recent(clientId, secretHash)),
  };
};

export const openId: Application = { create: createOpenIdApp, prefixes: () => ['/openid', METADATA] };
