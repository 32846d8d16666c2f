import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { ArchiveStamper, CollectEvidence } from '#signatures/asic';
import { createHttpApp } from '#service/http';
import { certificateStatusLookUp } from '#domain/identity';
import { startConsumer } from '#engines/message-bus';
import type { Application, Platform } from '#service/platform';
import { CONSUMER_GROUPS, SESSION_EVENTS_TOPIC, signingUseCases } from '#domain/session';

import { SessionEventsModule } from './session-events.module.js';
import { SigningModule } from './signing.module.js';
import { reportRefusals } from './report-refusals.js';
import { serveTrustService } from './trust-service.js';

/** Milliseconds. A container is due within seconds, and in a busy time most events are of logins, which this service passes over: it takes them together. */
const LINGER = 100;

/**
 * Builds the containers of approved signatures, and serves the development trust service under `/pki`. Without a certificate authority
 * there are no signatures, and it serves nothing.
 */
export const createSigningApp = async (platform: Platform): Promise<NestFastifyApplication> => {
  const { settings, log, metrics, messageBus, stopping, readiness, trustServices, clock, randomness } = platform;
  if (!trustServices) return createHttpApp(SigningModule, { log, metrics, trustedProxies: settings.trustedProxies });
  const { timestampAuthority, revocationSource, trustStore: trust, developmentPki: pki } = trustServices;
  const collectEvidence = new CollectEvidence(timestampAuthority, revocationSource);
  const archiveStamper = settings.containerLevel === 'LTA' ? new ArchiveStamper(timestampAuthority, revocationSource) : undefined;
  const { buildSignature } = signingUseCases(platform, { collectEvidence, archiveStamper, trust, refusals: reportRefusals(log, metrics) });
  const consumer = await startConsumer(SessionEventsModule.register(buildSignature), {
    bus: messageBus,
    topic: SESSION_EVENTS_TOPIC,
    group: CONSUMER_GROUPS.signing,
    signal: stopping,
    linger: LINGER,
  });
  readiness.set('signing', () => consumer.check());
  return createHttpApp(SigningModule.register(consumer), {
    log,
    metrics,
    trustedProxies: settings.trustedProxies,
    configure: (fastify) => {
      if (pki) serveTrustService(fastify, { pki, certificateStatus: certificateStatusLookUp(platform), clock, randomness });
    },
  });
};

export const signing: Application = { create: createSigningApp, prefixes: () => ['/pki'] };
