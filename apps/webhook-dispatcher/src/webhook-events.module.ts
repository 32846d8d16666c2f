import { type DynamicModule, Module } from '@nestjs/common';

import { useCaseProviders } from '#service/http';
import type { FanOut } from '#domain/webhook';

import { WebhookEventsController } from './webhook-events.controller.js';

/** The consumer of session events. */
@Module({ controllers: [WebhookEventsController] })
export class WebhookEventsModule {
  static register(fanOut: FanOut): DynamicModule {
    return { module: WebhookEventsModule, providers: useCaseProviders({ fanOut }) };
  }
}
