import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { callerOf, createHttpApp, holdBack, limitRoutes, pageBudgets } from '#service/http';
import { type Application, pathOf, type Platform } from '#service/platform';
import { builtPage, securityHeaders, serveWebPage } from '#web-page';

import { ConsoleModule } from './console.module.js';
import { keepPortalClient } from './keep-portal-client.js';
import { PORTAL_BUDGETS } from './portal-budgets.js';
import { PortalLogin } from './portal-login.js';

/** The portal of relying parties and staff: its page, and the logins to it. The page sends all other calls to `/admin/v1`, on its own origin. */
export const createConsoleApp = (platform: Platform): Promise<NestFastifyApplication> => {
  const { settings, log, metrics, rateLimits, serving, stopping, useCases, proxyReports, historyGuard } = platform;
  const logins = new PortalLogin(platform, {
    ...useCases.relyingParties(),
    ...useCases.administration(),
    ...useCases.portalSessions(),
    ...useCases.identity(),
  });
  void serving.then(() => keepPortalClient({ logins, log, stopping }));
  return createHttpApp(ConsoleModule.register(platform, logins), {
    log,
    metrics,
    trustedProxies: settings.trustedProxies,
    proxyReports,
    budgets: PORTAL_BUDGETS,
    pages: pageBudgets(settings.portalUrl),
    onRequest: [
      limitRoutes(rateLimits, PORTAL_BUDGETS, (request) => ({ principal: callerOf(request) })),
      holdBack({ reason: () => historyGuard?.loss?.reason, except: ({ routeOptions }) => !routeOptions.url?.startsWith('/portal/v1/') }),
    ],
    configure: (fastify) =>
      serveWebPage(fastify, {
        url: settings.portalUrl,
        directory: builtPage('portal'),
        // The page calls nothing but its own origin.
        headers: securityHeaders({ baseUrl: settings.portalUrl }),
        config: {
          baseUrl: settings.baseUrl,
          loginUrl: settings.loginUrl,
          issuerUrl: settings.issuerUrl,
          consent: settings.clientConsent ? 'required' : undefined,
        },
      }),
  });
};

export const portal: Application = {
  create: createConsoleApp,
  prefixes: ({ portalUrl }) => [...new Set(['/portal', pathOf(portalUrl)])],
};
