import { type DynamicModule, Module } from '@nestjs/common';

import { useCaseProviders } from '#service/http';
import type { FanOut } from '#domain/webhook';

import { SessionEventsController } from './session-events.controller.js';

/** The consumer of session events. */
@Module({ controllers: [SessionEventsController] })
export class SessionEventsModule {
  static register(fanOut: FanOut): DynamicModule {
    return { module: SessionEventsModule, providers: useCaseProviders({ fanOut }) };
  }
}
