import { type DynamicModule, Module } from '@nestjs/common';

import { StreamChanges } from '#event-store';
import { LongPolls, useCaseProviders } from '#http';
import type { Platform } from '#platform';
import { loginPageSessionUseCases } from '#session';

import { ClaimHandoffController } from './claim-handoff.controller.js';
import { CompleteLoginController } from './complete-login.controller.js';
import { LoginController } from './login.controller.js';
import { LoginStatusController } from './login-status.controller.js';

/** `/login-ui/v1`, for the hosted login page. */
@Module({ controllers: [ClaimHandoffController, LoginController, LoginStatusController, CompleteLoginController] })
export class LoginBffModule {
  static register(platform: Platform): DynamicModule {
    const changes = new StreamChanges(platform.eventStore, 'session');
    void changes.run(platform.stopping);
    return {
      module: LoginBffModule,
      providers: [
        { provide: LongPolls, useValue: new LongPolls(platform.stopping) },
        ...useCaseProviders(loginPageSessionUseCases(platform, changes)),
      ],
    };
  }
}
