import { type DynamicModule, Module } from '@nestjs/common';

import type { administrationUseCases } from '#domain/administration';
import { categoryOf } from '#engines/event-store';
import { useCaseProviders } from '#service/http';
import {
  type EndSessions,
  type EraseIdentity,
  identityLists,
  identityUseCases,
  phoneUseCases,
  type ProveErasure,
  subjectMigrations,
} from '#domain/identity';
import { Clock } from '#kernel';
import { DeadLetters, type Platform, TrustServiceHealth } from '#service/platform';
import { clientsProjection, ListClients, ListWaitingChanges, logoAdministration, OwnClient, relyingPartyUseCases } from '#domain/relying-party';
import { operatorSessionUseCases, sessionTimers } from '#domain/session';
import { webhookAdministration } from '#domain/webhook';

import { ActivationCodeLinks, ActivationCodesController } from './activation-codes.controller.js';
import { AdminTokensController } from './admin-tokens.controller.js';
import { AuditController } from './audit.controller.js';
import { ClientLimits } from './client-limits.js';
import { ClientLogoController } from './client-logo.controller.js';
import { ClientSecretController } from './client-secret.controller.js';
import { ClientStateController } from './client-state.controller.js';
import { ClientsController } from './clients.controller.js';
import type { FourEyes } from './four-eyes.js';
import { IdentityDevicesController } from './identity-devices.controller.js';
import { HealthController } from './health.controller.js';
import { IdentitiesController } from './identities.controller.js';
import { LoginFunnelController } from './login-funnel.controller.js';
import { PersonsController } from './persons.controller.js';
import { ProjectionsController } from './projections.controller.js';
import { KeyAges, KeysController } from './keys.controller.js';
import { PortalLinks } from './portal-links.js';
import { ServiceHealth } from './service-health.js';
import { ClientSessionTimelineController, SessionTimelineController } from './session-timeline.controller.js';
import { SessionsController } from './sessions.controller.js';
import { StaffController } from './staff.controller.js';
import { ClientMigrationsController } from './client-migrations.controller.js';
import { TeamController } from './team.controller.js';
import { WaitingChangeController, WaitingChangesController } from './waiting-changes.controller.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';

/** What the application has made for its own hooks. */
interface RegistryParts {
  readonly erasures: { readonly eraseIdentity: EraseIdentity; readonly proveErasure: ProveErasure };
  readonly administration: ReturnType<typeof administrationUseCases>;
  readonly fourEyes: FourEyes;
  readonly endSessions: EndSessions;
}

/** The categories of the lists that show at once what this process has decided. */
const LISTED: ReadonlySet<string> = new Set(['client', 'identity']);

/** `/admin/v1`: registration and operations. */
@Module({
  controllers: [
    ClientsController,
    ClientSecretController,
    ClientStateController,
    ClientLogoController,
    IdentitiesController,
    PersonsController,
    ActivationCodesController,
    IdentityDevicesController,
    SessionsController,
    SessionTimelineController,
    ClientSessionTimelineController,
    LoginFunnelController,
    ProjectionsController,
    HealthController,
    WaitingChangeController,
    WaitingChangesController,
    WebhookEndpointsController,
    WebhookDeliveriesController,
    AdminTokensController,
    AuditController,
    StaffController,
    TeamController,
    ClientMigrationsController,
    KeysController,
  ],
})
export class RegistryModule {
  static register(
    platform: Platform,
    { erasures: { eraseIdentity, proveErasure }, administration, fourEyes, endSessions }: RegistryParts,
  ): DynamicModule {
    const { eventStore, settings, keys, projections } = platform;
    projections.administer(sessionTimers);
    const clients = projections.follow(clientsProjection);
    const listClients = new ListClients(clients, new OwnClient(keys.index, settings.environment));
    const listWaitingChanges = new ListWaitingChanges(clients);
    // The lists show at once what this process has changed.
    platform.unitOfWork.observe((stream, revision) => {
      if (LISTED.has(categoryOf(stream))) projections.note(stream, revision);
    });
    const parts = { ...platform, eventStore: projections.noting(eventStore) };
    const relyingParty = relyingPartyUseCases(parts);
    const webhooks = webhookAdministration(parts);
    const health = new ServiceHealth({
      ...relyingParty,
      ...webhooks,
      projections,
      deadLetters: new DeadLetters(eventStore, platform.messageBus, platform.clock),
      trustServiceHealth: new TrustServiceHealth(platform),
    });
    return {
      module: RegistryModule,
      providers: [
        { provide: Clock, useValue: platform.clock },
        { provide: ClientLimits, useValue: new ClientLimits(platform) },
        { provide: PortalLinks, useValue: new PortalLinks(settings.portalUrl) },
        { provide: ServiceHealth, useValue: health },
        { provide: KeyAges, useValue: new KeyAges(keys) },
        { provide: ActivationCodeLinks, useValue: new ActivationCodeLinks(settings.appUrl) },
        ...useCaseProviders(
          { listClients, listWaitingChanges, projections },
          relyingParty,
          logoAdministration(parts),
          identityUseCases(parts),
          phoneUseCases(parts, administration.portalMembers, endSessions),
          identityLists(parts),
          subjectMigrations(parts),
          { eraseIdentity, proveErasure },
          operatorSessionUseCases(platform),
          webhooks,
          administration,
          { fourEyes },
        ),
      ],
    };
  }
}
