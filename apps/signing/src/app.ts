import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { createHttpApp } from '#service/http';
import type { CertificateStatus } from '#domain/identity';
import { startConsumer } from '#engines/message-bus';
import type { Application, Platform } from '#service/platform';
import { CONSUMER_GROUPS, SESSION_EVENTS_TOPIC } from '#domain/session';

import { SigningEventsModule } from './signing-events.module.js';
import { SigningModule } from './signing.module.js';
import { serveTrustService } from './trust-service.js';
import { TRUST_SERVICE_BUDGETS } from './trust-service-budgets.js';

/** Milliseconds. A container is due within seconds, and in a busy time most events are of logins, which this service passes over: it takes them together. */
const LINGER = 100;

/**
 * Builds the containers of approved signatures, and serves the development trust service under `/pki`. Without a certificate authority
 * there are no signatures, and it serves nothing.
 */
export const createSigningApp = async (platform: Platform): Promise<NestFastifyApplication> => {
  const { settings, log, metrics, messageBus, stopping, readiness, trustServices, clock, randomness, useCases, proxyReports } = platform;
  const signing = useCases.signing();
  if (!trustServices || !signing)
    return createHttpApp(SigningModule, { log, metrics, trustedProxies: settings.trustedProxies, proxyReports, budgets: {} });
  const { developmentPki: pki } = trustServices;
  const { findCertificateStatus } = useCases.identity();
  const certificateStatus = (serial: string): Promise<CertificateStatus> => findCertificateStatus.execute(serial);
  const consumer = await startConsumer(SigningEventsModule.register(signing.buildSignature), {
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
    proxyReports,
    budgets: pki ? TRUST_SERVICE_BUDGETS : {},
    configure: (fastify) => {
      if (pki) serveTrustService(fastify, { pki, certificateStatus, clock, randomness });
    },
  });
};

export const signing: Application = { create: createSigningApp, prefixes: () => ['/pki'] };
