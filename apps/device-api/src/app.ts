import cors from '@fastify/cors';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { createHttpApp, holdBack, limitRoutes, pageBudgets } from '#service/http';
import { type Application, pathOf, type Platform, redisAccess } from '#service/platform';

import { DEVICE_BUDGETS, phoneOf } from './device-budgets.js';
import { DeviceApiModule } from './device-api.module.js';
import { isEnrolment, requireDeviceProof, requireProvenBody } from './device-proof.hooks.js';
import { DeviceProofs } from './device-proof.js';
import { registerPhonePage } from './phone-page.js';
import { MemoryProofIds } from './proof-ids/memory-proof-ids.js';
import { RedisProofIds } from './proof-ids/redis/redis-proof-ids.js';
import { throttleEnrolments } from './throttle-enrolments.js';

/** The web phone, and `/app/v1`, whose every request carries a device proof. */
export const createDeviceApiApp = (platform: Platform): Promise<NestFastifyApplication> => {
  const { settings, log, metrics, clock, rateLimits, useCases, proxyReports, historyGuard } = platform;
  const redis = redisAccess(settings, platform);
  const refused = (reason: string): void => log.error('the ids of proofs cannot be shared by the replicas', { component: 'proof-ids', reason });
  const proofIds = redis ? new RedisProofIds(redis, refused) : new MemoryProofIds();
  const proofs = new DeviceProofs(useCases.identity().findDevice, proofIds, clock);
  return createHttpApp(DeviceApiModule.register(platform), {
    log,
    metrics,
    trustedProxies: settings.trustedProxies,
    proxyReports,
    budgets: DEVICE_BUDGETS,
    pages: pageBudgets(settings.appUrl),
    configure: async (fastify) => {
      // For a web phone on its own origin. It proves each request by its key, so cookies are never allowed.
      await fastify.register(cors, {
        origin: [new URL(settings.appUrl).origin],
        methods: ['GET', 'POST', 'PUT', 'DELETE'],
        allowedHeaders: ['Device-Proof', 'Content-Type', 'Prefer'],
        exposedHeaders: ['Preference-Applied', 'Retry-After'],
        strictPreflight: false,
      });
      // After CORS, so that the web phone can read the reason of a refusal and the service's time.
      throttleEnrolments(fastify, platform, useCases.phones().locateCode);
      fastify.addHook('onRequest', requireDeviceProof(proofs));
      fastify.addHook('onRequest', limitRoutes(rateLimits, DEVICE_BUDGETS, phoneOf));
      fastify.addHook('onRequest', holdBack({ reason: () => historyGuard?.loss?.reason, except: (request) => !isEnrolment(request) }));
      requireProvenBody(fastify, proofs);
      fastify.addHook('onClose', async () => proofIds.close());
      await registerPhonePage(fastify, settings);
    },
  });
};

export const deviceApi: Application = { create: createDeviceApiApp, prefixes: ({ appUrl }) => ['/app', pathOf(appUrl)] };
