import { type DynamicModule, Module } from '@nestjs/common';

import { startConsumer } from '#message-bus';
import type { Platform } from '#platform';
import { MakeGoodStatus, makeGoodStatus, SESSION_EVENTS_TOPIC } from '#session';

import { SessionStatusesController } from './session-statuses.controller.js';

@Module({ controllers: [SessionStatusesController] })
class StatusConsumerModule {
  static register(makeGood: MakeGoodStatus): DynamicModule {
    return { module: StatusConsumerModule, providers: [{ provide: MakeGoodStatus, useValue: makeGood }] };
  }
}

/** Where there is a status cache, keeps it right until the platform stops. No request depends on it: a status that is missing is read from its stream. */
export const startStatusConsumer = async (platform: Platform): Promise<void> => {
  const makeGood = makeGoodStatus(platform);
  if (!makeGood) return;
  const { messageBus, stopping } = platform;
  const options = { bus: messageBus, topic: SESSION_EVENTS_TOPIC, group: 'session-status', signal: stopping };
  const consumer = await startConsumer(StatusConsumerModule.register(makeGood), options);
  stopping.addEventListener('abort', () => void consumer.close(), { once: true });
};
