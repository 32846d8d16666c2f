import { type DynamicModule, Module } from '@nestjs/common';

import { useCaseProviders } from '#service/http';
import type { BuildSignature } from '#domain/session';

import { SigningEventsController } from './signing-events.controller.js';

/** The consumer of session events. */
@Module({ controllers: [SigningEventsController] })
export class SigningEventsModule {
  static register(buildSignature: BuildSignature): DynamicModule {
    return { module: SigningEventsModule, providers: useCaseProviders({ buildSignature }) };
  }
}
