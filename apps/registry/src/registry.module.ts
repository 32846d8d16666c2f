import { type DynamicModule, Module } from '@nestjs/common';

import { useCaseProviders } from '#service/http';
import { Clock } from '#kernel';
import type { Platform } from '#service/platform';
import { sessionTimers } from '#domain/session';
import { ReachableNetworks } from '#domain/webhook';

import { ActivationCodeLinks, ActivationCodesController } from './activation-codes.controller.js';
import { AdminTokensController } from './admin-tokens.controller.js';
import { ApprovalsController } from './approvals.controller.js';
import { AuditController } from './audit.controller.js';
import { ClientLimits } from './client-limits.js';
import { ClientNamesController } from './client-names.controller.js';
import { ClientLogoController } from './client-logo.controller.js';
import { ClientSecretController } from './client-secret.controller.js';
import { ClientStateController } from './client-state.controller.js';
import { ClientsController } from './clients.controller.js';
import { BreakGlassController } from './break-glass.controller.js';
import { ChangedClients } from './changed-clients.js';
import { CriticalChanges } from './critical-changes.js';
import { IdentityDevicesController } from './identity-devices.controller.js';
import { HealthController } from './health.controller.js';
import { IdentitiesController } from './identities.controller.js';
import { LoginFunnelController } from './login-funnel.controller.js';
import { OwnController } from './own.controller.js';
import { PersonLists } from './person-lists.js';
import { PersonOpenings } from './person-openings.js';
import { PersonsController } from './persons.controller.js';
import { PersonsWithPower } from './persons-with-power.js';
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

/** `/admin/v1`: registration and operations. */
@Module({
  controllers: [
    ClientsController,
    ClientNamesController,
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
    BreakGlassController,
    OwnController,
    ApprovalsController,
    StaffController,
    TeamController,
    ClientMigrationsController,
    KeysController,
  ],
})
export class RegistryModule {
  static register(platform: Platform, criticalChanges: CriticalChanges): DynamicModule {
    const { settings, keys, projections, trustServiceHealth, useCases } = platform;
    projections.administer(sessionTimers);
    const { eraseIdentity, proveErasure } = useCases.erasures();
    const health = new ServiceHealth({
      ...useCases.relyingParties(),
      ...useCases.webhooks(),
      projections,
      deadLetters: useCases.deadLetters(),
      trustServiceHealth,
    });
    return {
      module: RegistryModule,
      providers: [
        { provide: Clock, useValue: platform.clock },
        { provide: ClientLimits, useValue: new ClientLimits(platform) },
        { provide: ChangedClients, useValue: new ChangedClients(useCases.relyingParties().findClient, useCases.relyingParties().ownClient) },
        { provide: PersonsWithPower, useValue: new PersonsWithPower(useCases.administration().portalMembers, useCases.identity().findLivingPerson) },
        { provide: PersonLists, useValue: new PersonLists(platform) },
        { provide: PersonOpenings, useValue: new PersonOpenings(platform) },
        { provide: PortalLinks, useValue: new PortalLinks(settings.portalUrl) },
        { provide: ReachableNetworks, useValue: platform.networks },
        { provide: ServiceHealth, useValue: health },
        { provide: KeyAges, useValue: new KeyAges(keys) },
        { provide: ActivationCodeLinks, useValue: new ActivationCodeLinks(settings.appUrl) },
        ...useCaseProviders(
          { projections, criticalChanges, eraseIdentity, proveErasure },
          useCases.relyingParties(),
          useCases.logos(),
          useCases.identity(),
          useCases.phones(),
          useCases.lists(),
          useCases.subjectMigrations(),
          useCases.operatorSessions(),
          useCases.webhooks(),
          useCases.administration(),
        ),
      ],
    };
  }
}
