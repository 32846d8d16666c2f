import { type DynamicModule, Module } from '@nestjs/common';

import { LongPolls, PollLimit, useCaseProviders } from '#service/http';
import type { Platform } from '#service/platform';

import { ClaimHandoffController } from './claim-handoff.controller.js';
import { CompleteLoginController } from './complete-login.controller.js';
import { FinishByNumberController } from './finish-by-number.controller.js';
import { LoginController } from './login.controller.js';
import { LoginStatusController } from './login-status.controller.js';

/** `/login-ui/v1`, for the hosted login page. */
@Module({ controllers: [ClaimHandoffController, LoginController, LoginStatusController, CompleteLoginController, FinishByNumberController] })
export class LoginBffModule {
  static register(platform: Platform): DynamicModule {
    return {
      module: LoginBffModule,
      providers: [
        { provide: PollLimit, useValue: new PollLimit(platform.rateLimits, platform.settings.pollLimit) },
        { provide: LongPolls, useValue: new LongPolls(platform.stopping) },
        ...useCaseProviders(platform.useCases.loginPageSessions()),
      ],
    };
  }
}
