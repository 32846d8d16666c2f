import { type DynamicModule, Module } from '@nestjs/common';

import { StreamChanges } from '#engines/event-store';
import { LongPolls, PollLimit, useCaseProviders } from '#service/http';
import type { identityUseCases, phoneUseCases } from '#domain/identity';
import type { Platform } from '#service/platform';
import { pushOfPhones } from '#domain/push';
import { deviceSessionUseCases } from '#domain/session';

import { DeviceController } from './device.controller.js';
import { DevicesController } from './devices.controller.js';
import { PushSubscriptionController } from './push-subscription.controller.js';
import { reportScans } from './report-scans.js';
import { SessionController } from './session.controller.js';

/** Made once for the application: the proofs of its requests use the same. */
type DeviceUseCases = Pick<
  ReturnType<typeof identityUseCases> & ReturnType<typeof phoneUseCases>,
  'enrolDevice' | 'findCodeHolder' | 'renewCertificate' | 'listOwnDevices' | 'revokeOwnDevice' | 'revokeThisDevice'
>;

/** `/app/v1`: the calls of the phones. */
@Module({ controllers: [DeviceController, DevicesController, PushSubscriptionController, SessionController] })
export class DeviceApiModule {
  static register(platform: Platform, devices: DeviceUseCases): DynamicModule {
    const inboxChanges = new StreamChanges(platform.eventStore, 'inbox');
    void inboxChanges.run(platform.stopping);
    const sessions = deviceSessionUseCases(platform, inboxChanges, reportScans(platform.log, platform.metrics));
    return {
      module: DeviceApiModule,
      providers: [
        { provide: PollLimit, useValue: new PollLimit(platform.rateLimits, platform.settings.pollLimit) },
        { provide: LongPolls, useValue: new LongPolls(platform.stopping) },
        ...useCaseProviders(devices, sessions, pushOfPhones(platform)),
      ],
    };
  }
}
