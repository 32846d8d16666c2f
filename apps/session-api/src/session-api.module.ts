import { type DynamicModule, Module } from '@nestjs/common';

import { LongPolls, useCaseProviders } from '#service/http';
import type { Platform } from '#service/platform';

import { CompleteSessionController } from './complete-session.controller.js';
import { CreateSessionController } from './create-session.controller.js';
import { CreateSigningRequestController, LegacySigning } from './create-signing-request.controller.js';
import { EventsController, Listening } from './events.controller.js';
import { ExchangeTokenController } from './exchange-token.controller.js';
import { GetResultController } from './get-result.controller.js';
import { GetStatusController } from './get-status.controller.js';
import { SubjectMigrationsController } from './subject-migrations.controller.js';
import { WithdrawSessionController } from './withdraw-session.controller.js';

/** `/relying-party/v1`, for the servers of relying parties. */
@Module({
  controllers: [
    CreateSessionController,
    CreateSigningRequestController,
    EventsController,
    ExchangeTokenController,
    GetStatusController,
    GetResultController,
    CompleteSessionController,
    SubjectMigrationsController,
    WithdrawSessionController,
  ],
})
export class SessionApiModule {
  static register(platform: Platform): DynamicModule {
    const { settings, stopping, useCases } = platform;
    return {
      module: SessionApiModule,
      providers: [
        { provide: LegacySigning, useValue: new LegacySigning(settings.legacySigning) },
        { provide: LongPolls, useValue: new LongPolls(stopping) },
        { provide: Listening, useValue: new Listening(settings.webhookListening, stopping) },
        ...useCaseProviders(useCases.relyingPartySessions(), useCases.subjectMigrations(), useCases.listening()),
      ],
    };
  }
}
