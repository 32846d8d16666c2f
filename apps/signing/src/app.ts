import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { CollectEvidence } from '#asic';
import { createHttpApp } from '#http';
import { certificateStatusLookUp } from '#identity';
import type { CloudEvent } from '#message-bus';
import type { Application, Platform } from '#platform';
import { SESSION_EVENTS_TOPIC, type SessionFacts, signingUseCases } from '#session';

import { SessionEventsConsumer } from './session-events.consumer.js';
import { SigningModule } from './signing.module.js';
import { serveTrustService } from './trust-service.js';

/** Builds the containers of approved signatures, and serves the development trust service under `/pki`. */
export const createSigningApp = async (platform: Platform): Promise<NestFastifyApplication> => {
  const { settings, log, metrics, messageBus, stopping, readiness, trustServices, clock, randomness } = platform;
  const { timestampAuthority, revocationSource, trustStore: trust, developmentPki: pki } = trustServices;
  const collectEvidence = new CollectEvidence(timestampAuthority, revocationSource);
  const consumer = new SessionEventsConsumer(signingUseCases(platform, { collectEvidence, trust }).buildSignature);
  const consumption = messageBus.consume({
    topic: SESSION_EVENTS_TOPIC,
    group: 'signing',
    types: ['session.confirmed', 'session.cancelled'],
    handler: (message) => consumer.handle(message as CloudEvent<SessionFacts>),
    signal: stopping,
  });
  readiness.set('signing', () => consumption.check());
  return createHttpApp(SigningModule.register(), {
    log,
    metrics,
    trustedProxies: settings.trustedProxies,
    configure: (fastify) => serveTrustService(fastify, { pki, certificateStatus: certificateStatusLookUp(platform), clock, randomness }),
  });
};

export const signing: Application = { create: createSigningApp, prefixes: () => ['/pki'] };
