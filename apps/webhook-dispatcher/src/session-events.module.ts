import { type DynamicModule, Module } from '@nestjs/common';

import { useCaseProviders } from '#http';
import type { FanOut } from '#webhook';

import { SessionEventsController } from './session-events.controller.js';

/** The consumer of session events. */
@Module({ controllers: [SessionEventsController] })
export class SessionEventsModule {
  static register(fanOut: FanOut): DynamicModule {
    return { module: SessionEventsModule, providers: useCaseProviders({ fanOut }) };
  }
}
