import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import {
  bearerAuthentication,
  createHttpApp,
  FailureThrottle,
  holdBack,
  limitRoutes,
  oneCallAtATime,
  portalAuthentication,
  portalCookieName,
} from '#service/http';
import { isGuarded } from '#service/config';
import { type Application, type Platform, runHistoryPasses } from '#service/platform';

import { ADMIN_BUDGETS, budgetHolders } from './admin-budgets.js';
import { endFirstStart } from './end-first-start.js';
import { endSessionsOfRevokedDevices } from './end-sessions-of-revoked-devices.js';
import { CriticalChanges } from './critical-changes.js';
import { proveAuthority } from './prove-authority.js';
import { recordChanges } from './record-changes.js';
import { RegistryModule } from './registry.module.js';
import { recordListedErasures } from './record-listed-erasures.js';
import { reportListFaults } from './report-list-faults.js';
import { requireRight, routeOf } from './require-right.js';
import { startErasures } from './start-erasures.js';
import { watchBreakGlass } from './watch-break-glass.js';
import { watchTokens } from './watch-tokens.js';
import { watchLossAcceptance } from './watch-loss-acceptance.js';

/** `/admin/v1`. Every path requires an admin token or a person's session of the portal; the roles say which routes they may call. Each change goes on the audit trail. */
export const createRegistryApp = async (platform: Platform): Promise<NestFastifyApplication> => {
  const { settings, log, metrics, rateLimits, serving, stopping, useCases, proxyReports, historyGuard } = platform;
  const erasures = useCases.erasures();
  const administration = useCases.administration();
  const ofRevokedDevices = useCases.sessionsOfRevokedDevices();
  // Not awaited: the service listens while interrupted erasures are found and finished.
  const reports = { fault: reportListFaults(platform), again: recordListedErasures({ ...platform, auditTrail: administration.auditTrail }) };
  void serving.then(() => startErasures(erasures.reconciler(stopping, reports), platform));
  void serving.then(() => endSessionsOfRevokedDevices(ofRevokedDevices, platform));
  void serving.then(() => watchBreakGlass(administration.watchBreakGlass, platform));
  void serving.then(() => watchTokens(administration.abandonedTokens, platform));
  void serving.then(() => runHistoryPasses(platform));
  void serving.then(() => watchLossAcceptance(platform));
  const { authenticateAdministrator, portalMembers, portalSessions } = administration;
  if (isGuarded(settings.environment)) void serving.then(() => endFirstStart(portalMembers, log));
  const throttle = new FailureThrottle(rateLimits, 'admin-failures', settings.authenticationFailureLimit);
  const criticalChanges = new CriticalChanges({ ...platform, ...administration });
  return createHttpApp(RegistryModule.register(platform, criticalChanges), {
    log,
    metrics,
    trustedProxies: settings.trustedProxies,
    proxyReports,
    budgets: ADMIN_BUDGETS,
    onRequest: [
      portalAuthentication((cookie) => portalSessions.find(cookie), throttle, portalCookieName(settings.portalUrl)),
      bearerAuthentication((token) => authenticateAdministrator.execute(token), throttle),
      limitRoutes(rateLimits, ADMIN_BUDGETS, budgetHolders),
      requireRight,
      holdBack({ reason: () => historyGuard?.loss?.reason, except: (request) => routeOf(request).endsWith(' /admin/v1/break-glass') }),
      oneCallAtATime((request) => (criticalChanges.isCarried(request) ? undefined : budgetHolders(request))),
    ],
    configure: (fastify) => {
      recordChanges(fastify, { ...platform, ...administration });
      proveAuthority(fastify, { ...platform, ...administration });
    },
  });
};

export const registry: Application = { create: createRegistryApp, prefixes: () => ['/admin'] };
