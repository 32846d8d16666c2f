import { type DynamicModule, Module } from '@nestjs/common';

import { useCaseProviders } from '#service/http';
import type { BuildSignature } from '#domain/session';

import { SessionEventsController } from './session-events.controller.js';

/** The consumer of session events. */
@Module({ controllers: [SessionEventsController] })
export class SessionEventsModule {
  static register(buildSignature: BuildSignature): DynamicModule {
    return { module: SessionEventsModule, providers: useCaseProviders({ buildSignature }) };
  }
}
