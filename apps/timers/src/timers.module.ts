import { type DynamicModule, Module, type OnModuleDestroy } from '@nestjs/common';

/** Ends the work of the app before the process exits. */
export class WorkShutdown implements OnModuleDestroy {
  constructor(private readonly end: () => Promise<unknown>) {}

  async onModuleDestroy(): Promise<void> {
    await this.end();
  }
}

/** The timed work on sessions. It arrives as messages and as rows that become due: the app serves no HTTP of its own. */
@Module({})
export class TimersModule {
  static register(end: () => Promise<unknown>): DynamicModule {
    return { module: TimersModule, providers: [{ provide: WorkShutdown, useValue: new WorkShutdown(end) }] };
  }
}
