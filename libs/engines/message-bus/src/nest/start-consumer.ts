import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';

import { MessageBusStrategy, type StrategyOptions } from './message-bus-strategy.js';
import { RethrowFilter } from './rethrow.filter.js';

export interface RunningConsumer {
  /** For the readiness probe: resolves while messages can be consumed. */
  check(): Promise<void>;
  /** After the signal: resolves when all running handlers have finished and the module is closed. */
  close(): Promise<void>;
}

/** Starts the controllers of a module as one member of a consumer group, in a Nest application of their own: groups share neither handlers nor an offset. */
export const startConsumer = async (module: Type | DynamicModule, options: StrategyOptions): Promise<RunningConsumer> => {
  const strategy = new MessageBusStrategy(options);
  // Delivery logs the failures of handlers.
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(module, { strategy, logger: false, abortOnError: false });
  app.useGlobalFilters(new RethrowFilter());
  await app.listen();
  return { check: () => strategy.check(), close: () => app.close() };
};
