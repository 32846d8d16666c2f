import { type DynamicModule, Module } from '@nestjs/common';

import { endWorkOnClose } from '#service/http';
import type { RunningConsumer } from '#engines/message-bus';

/** The ASiC-E builder. Its work arrives by the bus; over HTTP it serves the development trust service. */
@Module({})
export class SigningModule {
  static register(consumer: RunningConsumer): DynamicModule {
    return { module: SigningModule, providers: [endWorkOnClose(() => consumer.close())] };
  }
}
