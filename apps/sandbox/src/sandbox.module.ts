import { type DynamicModule, Module } from '@nestjs/common';

import { useCaseProviders } from '#service/http';
import { ReachableNetworks, RecordedWebhooks } from '#domain/webhook';
import { Randomness } from '#kernel';
import { MovableClock, type Platform } from '#service/platform';

import { CreateClientController } from './create-client.controller.js';
import { CreatePhoneController } from './create-phone.controller.js';
import { type Faults, SwitchFaults } from './faults/switch-faults.js';
import { LogInOnHostedPage } from './hosted-page/log-in-on-hosted-page.js';
import { ListWebhooksController } from './list-webhooks.controller.js';
import { LogInController } from './log-in.controller.js';
import { MoveClockController } from './move-clock.controller.js';
import { ActOnScan } from './phones/act-on-scan.js';
import { AllPhones } from './phones/all-phones.js';
import { CreatePhone } from './phones/create-phone.js';
import { EnrolPhone } from './phones/enrol-phone.js';
import { ownAddress } from './phones/own-address.js';
import { ownCalls } from './phones/own-calls.js';
import { ScriptedPhones } from './phones/scripted-phones.js';
import { ResetController } from './reset.controller.js';
import { Resetting, type SandboxControl } from './resetting.js';
import { ScanController } from './scan.controller.js';
import { SwitchFaultsController } from './switch-faults.controller.js';

/** What belongs to the sandbox alone. */
export interface SandboxParts {
  readonly clock: MovableClock;
  readonly recordedWebhooks: RecordedWebhooks;
  readonly faults: Faults;
  readonly control: SandboxControl;
}

/** `/sandbox/v1`: persons with scripted phones, clients, webhooks, the clock, and faults. */
@Module({
  controllers: [
    CreatePhoneController,
    ScanController,
    LogInController,
    CreateClientController,
    MoveClockController,
    SwitchFaultsController,
    ResetController,
    ListWebhooksController,
  ],
})
export class SandboxModule {
  static register(platform: Platform, { clock: movableClock, recordedWebhooks, faults, control }: SandboxParts): DynamicModule {
    const { eventStore, sealer, clock, randomness, settings, stopping, useCases, networks } = platform;
    const { registerIdentity } = useCases.identity();
    const { issueActivationCode } = useCases.phones();
    const fetch = ownCalls(stopping);
    const phones = new ScriptedPhones(eventStore, sealer, clock, randomness, fetch);
    const enrolPhone = new EnrolPhone({ issueActivationCode, clock, randomness, settings, fetch });
    const createPhone = new CreatePhone({ registerIdentity, enrolPhone, phones, clock, randomness });
    const allPhones = new AllPhones({ registerIdentity, enrolPhone, phones, clock });
    const actOnScan = new ActOnScan(allPhones, settings.appScheme, stopping);
    const { appScheme, loginUrl, issuerUrl } = settings;
    const logIn = new LogInOnHostedPage({ actOnScan, own: ownAddress(settings), fetch, appScheme, loginUrl, issuerUrl });
    const switchFaults = new SwitchFaults(faults);
    const { registerClient, findClient } = useCases.relyingParties();
    const resetting = new Resetting(control);
    return {
      module: SandboxModule,
      providers: [
        ...useCaseProviders({ createPhone, actOnScan, logIn, registerClient, findClient, switchFaults, resetting }),
        { provide: MovableClock, useValue: movableClock },
        { provide: RecordedWebhooks, useValue: recordedWebhooks },
        { provide: ReachableNetworks, useValue: networks },
        { provide: Randomness, useValue: randomness },
      ],
    };
  }
}
