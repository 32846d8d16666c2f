import { type DynamicModule, Module, type OnModuleDestroy } from '@nestjs/common';

import type { RunningConsumer } from '#message-bus';

/** Work that has to end before the process may. */
export class Underway implements OnModuleDestroy {
  constructor(private readonly consumer: RunningConsumer) {}

  async onModuleDestroy(): Promise<void> {
    await this.consumer.close();
  }
}

/** The ASiC-E builder. Its work arrives by the bus; over HTTP it serves the development trust service. */
@Module({})
export class SigningModule {
  static register(consumer: RunningConsumer): DynamicModule {
    return { module: SigningModule, providers: [{ provide: Underway, useValue: new Underway(consumer) }] };
  }
}
