import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { administrationUseCases } from '#domain/administration';
import { bearerAuthentication, createHttpApp, FailureThrottle, portalAuthentication, portalCookieName } from '#service/http';
import { erasureUseCases } from '#domain/identity';
import type { IdentityId } from '#kernel';
import type { Application, Platform } from '#service/platform';
import { erasePushSubscriptions, pushSubscriptionsStream } from '#domain/push';

import { sessionErasures, sessionsOfRevokedDevices } from '#domain/session';

import { endSessionsOfRevokedDevices, endsSessions } from './end-sessions-of-revoked-devices.js';
import { FourEyes } from './four-eyes.js';
import { recordChanges } from './record-changes.js';
import { RegistryModule } from './registry.module.js';
import { requireRight } from './require-right.js';
import { startErasures } from './start-erasures.js';

/** `/admin/v1`. Every path requires an admin token or a person's session of the portal; the roles say which routes they may call. Each change goes on the audit trail. */
export const createRegistryApp = async (platform: Platform): Promise<NestFastifyApplication> => {
  const { settings, log, metrics, rateLimits, serving, stopping } = platform;
  const eventStore = platform.projections.noting(platform.eventStore);
  const { steps, last, sessions, streams } = sessionErasures(platform);
  const ofRevokedDevices = sessionsOfRevokedDevices(platform);
  const administration = administrationUseCases(platform);
  const leavePortal = (identityId: IdentityId): Promise<void> => administration.portalMembers.removePerson(identityId);
  const erasures = erasureUseCases(
    { ...platform, eventStore },
    {
      // The portal first: the person's rights end with the answer, whatever the other steps need.
      steps: [leavePortal, ...steps, erasePushSubscriptions(platform)],
      ...(last && { last }),
      late: [leavePortal],
      sessions,
      streams: [...streams, pushSubscriptionsStream],
    },
  );
  // Not awaited: the service listens while interrupted erasures are found and finished.
  void serving.then(() => startErasures(erasures.reconciler(stopping), platform));
  void serving.then(() => endSessionsOfRevokedDevices(ofRevokedDevices, platform));
  const { authenticateAdministrator, portalSessions } = administration;
  const throttle = new FailureThrottle(rateLimits, 'admin-failures', settings.authenticationFailureLimit);
  const fourEyes = new FourEyes(settings.fourEyes ? { ...platform, ...administration } : undefined);
  return createHttpApp(
    RegistryModule.register(platform, { erasures, administration, fourEyes, endSessions: endsSessions(ofRevokedDevices, platform) }),
    {
      log,
      metrics,
      trustedProxies: settings.trustedProxies,
      onRequest: [
        portalAuthentication((cookie) => portalSessions.find(cookie), throttle, portalCookieName(settings.portalUrl)),
        bearerAuthentication((token) => authenticateAdministrator.execute(token), throttle),
        requireRight,
      ],
      configure: (fastify) => recordChanges(fastify, { ...platform, ...administration, fourEyes }),
    },
  );
};

export const registry: Application = { create: createRegistryApp, prefixes: () => ['/admin'] };
