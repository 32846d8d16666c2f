import { type DynamicModule, Module, type OnModuleDestroy } from '@nestjs/common';

/** Ends the work of the app before the process exits. */
export class WorkShutdown implements OnModuleDestroy {
  constructor(private readonly end: () => Promise<void>) {}

  async onModuleDestroy(): Promise<void> {
    await this.end();
  }
}

/** The dispatcher of webhooks. Its work arrives as messages and jobs: it serves no HTTP of its own. */
@Module({})
export class WebhookDispatcherModule {
  static register(end: () => Promise<void>): DynamicModule {
    return { module: WebhookDispatcherModule, providers: [{ provide: WorkShutdown, useValue: new WorkShutdown(end) }] };
  }
}
