import { type DynamicModule, Module } from '@nestjs/common';

import { endWorkOnClose } from '#service/http';

/** The timed work on sessions. It arrives as messages and as rows that become due: the app serves no HTTP of its own. */
@Module({})
export class TimersModule {
  /** `end` ends the work of the app. */
  static register(end: () => Promise<unknown>): DynamicModule {
    return { module: TimersModule, providers: [endWorkOnClose(end)] };
  }
}
