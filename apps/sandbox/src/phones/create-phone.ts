import { Phone } from '#clients/software-phone';
import type { IssueActivationCode, PersonalData, RegisterIdentity } from '#domain/identity';
import type { Clock, Randomness } from '#kernel';
import type { Platform } from '#service/platform';

import type { ScriptedPhones } from './scripted-phones.js';
import { ownAddress } from './own-address.js';
import { type PersonaName, personas, PIN } from './personas.js';
import { withMappedErrors } from './refused-phone.js';

export interface CreatedPhone {
  readonly phoneId: string;
  readonly persona: PersonaName;
  readonly identity: PersonalData & { readonly identityId: string };
}

export interface CreatePhoneParts {
  readonly registerIdentity: RegisterIdentity;
  readonly issueActivationCode: IssueActivationCode;
  readonly phones: ScriptedPhones;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly settings: Platform['settings'];
}

/** The default delay of `slow`, in seconds. */
const DELAY = 3;

/** A new person, registered here, and a phone of that person, enrolled over HTTP like every other one. */
export class CreatePhone {
  constructor(private readonly parts: CreatePhoneParts) {}

  async execute(persona: PersonaName, delaySeconds = DELAY): Promise<CreatedPhone> {
    const { registerIdentity, issueActivationCode, phones, clock, randomness, settings } = this.parts;
    const person = this.#person(persona);
    const identityId = await registerIdentity.execute(person);
    const { activationCode } = await issueActivationCode.execute(identityId);
    const phone = await withMappedErrors(
      Phone.enrol(
        {
          baseUrl: ownAddress(settings),
          appScheme: settings.appScheme,
          activationCode: activationCode.reveal(),
          name: `Sandbox phone (${persona})`,
          platform: 'Sandbox',
          pin: PIN,
        },
        { clock, randomness },
      ),
    );
    await phones.keep({ phone, persona, delaySeconds });
    return { phoneId: phone.deviceId, persona, identity: { identityId, ...person } };
  }

  #person(persona: PersonaName): PersonalData {
    const code = this.parts.randomness.bytes(6).toString('hex');
    const year = new Date(this.parts.clock.now()).getUTCFullYear();
    const dateOfBirth = personas[persona].dateOfBirth?.(year);
    return {
      givenName: 'Sandra',
      familyName: `Sandbox ${code.slice(0, 4)}`,
      personalCode: `SANDBOX-${code}`,
      ...(dateOfBirth !== undefined && { dateOfBirth }),
      country: 'EE',
      email: `sandra.${code}@sandbox.example`,
      phoneNumber: '+3725550100',
    };
  }
}
