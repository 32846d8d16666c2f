import { type DynamicModule, Module, type OnModuleDestroy } from '@nestjs/common';

/** What has to end before the process may. */
export class Underway implements OnModuleDestroy {
  constructor(private readonly end: () => Promise<void>) {}

  async onModuleDestroy(): Promise<void> {
    await this.end();
  }
}

/** The dispatcher of webhooks. Its work arrives by the bus and by jobs: it serves no HTTP of its own. */
@Module({})
export class WebhookDispatcherModule {
  static register(end: () => Promise<void>): DynamicModule {
    return { module: WebhookDispatcherModule, providers: [{ provide: Underway, useValue: new Underway(end) }] };
  }
}
