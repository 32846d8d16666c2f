import { type DynamicModule, Module } from '@nestjs/common';

import { useCaseProviders } from '#service/http';
import type { RestoreCachedStatus } from '#domain/session';

import { SessionStatusesController } from './session-statuses.controller.js';

/** The consumer of session events that keeps the status cache right. */
@Module({ controllers: [SessionStatusesController] })
export class SessionStatusesModule {
  static register(restoreCachedStatus: RestoreCachedStatus): DynamicModule {
    return { module: SessionStatusesModule, providers: useCaseProviders({ restoreCachedStatus }) };
  }
}
