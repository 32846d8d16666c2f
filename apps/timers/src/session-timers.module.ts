import { type DynamicModule, Module } from '@nestjs/common';

import { useCaseProviders } from '#service/http';
import type { NoteTimer } from '#domain/session';

import { SessionTimersController } from './session-timers.controller.js';

/** The consumer of session events whose partitions say which sessions this process works for. */
@Module({ controllers: [SessionTimersController] })
export class SessionTimersModule {
  static register(noteTimer: NoteTimer): DynamicModule {
    return { module: SessionTimersModule, providers: useCaseProviders({ noteTimer }) };
  }
}
