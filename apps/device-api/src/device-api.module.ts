import { type DynamicModule, Module } from '@nestjs/common';

import { StreamChanges } from '#event-store';
import { LongPolls, PollLimit, useCaseProviders } from '#http';
import type { EnrolDevice } from '#identity';
import type { Platform } from '#platform';
import { pushOfPhones } from '#push';
import { deviceSessionUseCases } from '#session';

import { DeviceController } from './device.controller.js';
import { PushSubscriptionController } from './push-subscription.controller.js';
import { SessionController } from './session.controller.js';

/** `/app/v1`: the calls of the phones. */
@Module({ controllers: [DeviceController, PushSubscriptionController, SessionController] })
export class DeviceApiModule {
  static register(platform: Platform, enrolDevice: EnrolDevice): DynamicModule {
    const inboxChanges = new StreamChanges(platform.eventStore, 'inbox');
    void inboxChanges.run(platform.stopping);
    return {
      module: DeviceApiModule,
      providers: [
        { provide: PollLimit, useValue: new PollLimit(platform.rateLimits, platform.settings.pollLimit) },
        { provide: LongPolls, useValue: new LongPolls(platform.stopping) },
        ...useCaseProviders({ enrolDevice }, deviceSessionUseCases(platform, inboxChanges), pushOfPhones(platform)),
      ],
    };
  }
}
