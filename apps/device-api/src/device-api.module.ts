import { type DynamicModule, Module } from '@nestjs/common';

import { LongPolls, PollLimit, useCaseProviders } from '#service/http';
import type { Platform } from '#service/platform';

import { BlockedClientsController } from './blocked-clients.controller.js';
import { LogoutController } from './logout.controller.js';
import { DeviceController } from './device.controller.js';
import { DevicesController } from './devices.controller.js';
import { PushSubscriptionController } from './push-subscription.controller.js';
import { SessionClientController } from './session-client.controller.js';
import { SessionController } from './session.controller.js';

/** `/app/v1`: the calls of the phones. */
@Module({
  controllers: [
    BlockedClientsController,
    LogoutController,
    DeviceController,
    DevicesController,
    PushSubscriptionController,
    SessionClientController,
    SessionController,
  ],
})
export class DeviceApiModule {
  static register(platform: Platform): DynamicModule {
    const { useCases } = platform;
    return {
      module: DeviceApiModule,
      providers: [
        { provide: PollLimit, useValue: new PollLimit(platform.rateLimits, platform.settings.pollLimit) },
        { provide: LongPolls, useValue: new LongPolls(platform.stopping) },
        ...useCaseProviders(useCases.identity(), useCases.phones(), useCases.deviceSessions(), useCases.pushesOfPhones(), useCases.logouts()),
      ],
    };
  }
}
