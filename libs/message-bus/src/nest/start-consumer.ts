import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';

import { MessageBusStrategy, type StrategyOptions } from './message-bus-strategy.js';
import { RethrowFilter } from './rethrow.filter.js';

export interface RunningConsumer {
  /** For the readiness probe: resolves while messages can be taken. */
  check(): Promise<void>;
  /** After the signal: resolves when what was under way is dealt with and the module is closed. */
  close(): Promise<void>;
}

/** The controllers of a module as one member of a consumer group. A Nest application of its own: groups share no handlers and no offset. */
export const startConsumer = async (module: Type | DynamicModule, options: StrategyOptions): Promise<RunningConsumer> => {
  const strategy = new MessageBusStrategy(options);
  // What Nest would log of a handler's failure, our delivery logs.
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(module, { strategy, logger: false, abortOnError: false });
  app.useGlobalFilters(new RethrowFilter());
  await app.listen();
  return { check: () => strategy.check(), close: () => app.close() };
};
