import { type DynamicModule, Module } from '@nestjs/common';

import { useCaseProviders } from '#http';
import { type EraseIdentity, identityUseCases, ListIdentities } from '#identity';
import { Clock } from '#kernel';
import type { Platform } from '#platform';
import { ListClients, relyingPartyUseCases } from '#relying-party';
import { operatorSessionUseCases } from '#session';
import { webhookAdministration } from '#webhook';

import { ActivationCodeLinks, ActivationCodesController } from './activation-codes.controller.js';
import { ClientLogoController } from './client-logo.controller.js';
import { ClientSecretController } from './client-secret.controller.js';
import { ClientsController } from './clients.controller.js';
import { DevicesController } from './devices.controller.js';
import { IdentitiesController } from './identities.controller.js';
import { SessionTimelineController } from './session-timeline.controller.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';

/** `/admin/v1`: registration and operations. */
@Module({
  controllers: [
    ClientsController,
    ClientSecretController,
    ClientLogoController,
    IdentitiesController,
    ActivationCodesController,
    DevicesController,
    SessionTimelineController,
    WebhookEndpointsController,
    WebhookDeliveriesController,
  ],
})
export class RegistryModule {
  static register(platform: Platform, { eraseIdentity }: { readonly eraseIdentity: EraseIdentity }): DynamicModule {
    const { eventStore, stopping, readiness, settings } = platform;
    const identity = identityUseCases(platform);
    const listClients = new ListClients(eventStore, stopping);
    const listIdentities = new ListIdentities(eventStore, identity.readPersonalData, stopping);
    readiness.set('list of clients', () => listClients.ready);
    readiness.set('list of identities', () => listIdentities.ready);
    return {
      module: RegistryModule,
      providers: [
        { provide: Clock, useValue: platform.clock },
        { provide: ActivationCodeLinks, useValue: new ActivationCodeLinks(settings.appUrl) },
        ...useCaseProviders(
          { listClients, listIdentities },
          relyingPartyUseCases(platform),
          identity,
          { eraseIdentity },
          operatorSessionUseCases(platform),
          webhookAdministration(platform),
        ),
      ],
    };
  }
}
