import { type DynamicModule, Module } from '@nestjs/common';

import { useCaseProviders } from '#service/http';
import type { Platform } from '#service/platform';
import { RateLimits } from '#engines/rate-limit';

import { PortalLoginController } from './portal-login.controller.js';
import { PORTAL_ADDRESS } from './portal-address.js';
import { PortalCookies } from './portal-cookies.js';
import { PortalLogin } from './portal-login.js';
import { PortalSessionController } from './portal-session.controller.js';

@Module({ controllers: [PortalLoginController, PortalSessionController] })
export class ConsoleModule {
  static register(platform: Platform, logins: PortalLogin): DynamicModule {
    const { settings, clock, sealer, useCases } = platform;
    return {
      module: ConsoleModule,
      providers: [
        { provide: PortalCookies, useValue: new PortalCookies(settings.portalUrl, sealer, clock) },
        { provide: PORTAL_ADDRESS, useValue: `${settings.portalUrl.replace(/\/+$/, '')}/` },
        { provide: RateLimits, useValue: platform.rateLimits },
        { provide: PortalLogin, useValue: logins },
        ...useCaseProviders(useCases.relyingParties(), useCases.administration()),
      ],
    };
  }
}
