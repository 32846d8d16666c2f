import { type DynamicModule, Module } from '@nestjs/common';

import { useCaseProviders } from '#service/http';
import { ReachableNetworks } from '#domain/webhook';
import { Randomness } from '#kernel';
import { MovableClock, type Platform } from '#service/platform';

import { CreateClientController } from './create-client.controller.js';
import { CreatePhoneController } from './create-phone.controller.js';
import { type Faults, SwitchFaults } from './faults/switch-faults.js';
import { LogInOnHostedPage } from './hosted-page/log-in-on-hosted-page.js';
import { LogInController } from './log-in.controller.js';
import { MoveClockController } from './move-clock.controller.js';
import { ActOnScan } from './phones/act-on-scan.js';
import { AllPhones } from './phones/all-phones.js';
import { CreatePhone } from './phones/create-phone.js';
import { EnrolPhone } from './phones/enrol-phone.js';
import { ownAddress } from './phones/own-address.js';
import { ScriptedPhones } from './phones/scripted-phones.js';
import { ScanController } from './scan.controller.js';
import { SwitchFaultsController } from './switch-faults.controller.js';

/** `/sandbox/v1`: persons with scripted phones, clients, the clock, and faults. */
@Module({
  controllers: [CreatePhoneController, ScanController, LogInController, CreateClientController, MoveClockController, SwitchFaultsController],
})
export class SandboxModule {
  static register(platform: Platform, movableClock: MovableClock, faults: Faults): DynamicModule {
    const { eventStore, sealer, clock, randomness, settings, stopping, useCases, networks } = platform;
    const { registerIdentity } = useCases.identity();
    const { issueActivationCode } = useCases.phones();
    const phones = new ScriptedPhones(eventStore, sealer, clock, randomness);
    const enrolPhone = new EnrolPhone({ issueActivationCode, clock, randomness, settings });
    const createPhone = new CreatePhone({ registerIdentity, enrolPhone, phones, clock, randomness });
    const allPhones = new AllPhones({ registerIdentity, enrolPhone, phones, clock });
    const actOnScan = new ActOnScan(allPhones, settings.appScheme, stopping);
    const { appScheme, loginUrl, issuerUrl } = settings;
    const logIn = new LogInOnHostedPage({ actOnScan, own: ownAddress(settings), appScheme, loginUrl, issuerUrl });
    const switchFaults = new SwitchFaults(faults);
    const { registerClient } = useCases.relyingParties();
    return {
      module: SandboxModule,
      providers: [
        ...useCaseProviders({ createPhone, actOnScan, logIn, registerClient, switchFaults }),
        { provide: MovableClock, useValue: movableClock },
        { provide: ReachableNetworks, useValue: networks },
        { provide: Randomness, useValue: randomness },
      ],
    };
  }
}
