import { type DynamicModule, Module } from '@nestjs/common';

import { endWorkOnClose } from '#service/http';

/** The dispatcher of webhooks. Its work arrives as messages and jobs: it serves no HTTP of its own. */
@Module({})
export class WebhookDispatcherModule {
  /** `end` ends the work of the app. */
  static register(end: () => Promise<void>): DynamicModule {
    return { module: WebhookDispatcherModule, providers: [endWorkOnClose(end)] };
  }
}
