import { Phone } from '#clients/software-phone';
import type { IssueActivationCode } from '#domain/identity';
import type { Clock, IdentityId, Randomness } from '#kernel';
import type { Platform } from '#service/platform';

import { ownAddress } from './own-address.js';
import { type PersonaName, PIN } from './personas.js';
import { withMappedErrors } from './refused-phone.js';
import type { ScriptedPhone } from './scripted-phones.js';

export interface EnrolPhoneParts {
  readonly issueActivationCode: IssueActivationCode;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly settings: Platform['settings'];
}

/** The default delay of `slow`, in seconds. */
const DELAY = 3;

/** A new phone of a person, enrolled over HTTP like every other one. */
export class EnrolPhone {
  constructor(private readonly parts: EnrolPhoneParts) {}

  async execute(identityId: IdentityId, persona: PersonaName, delaySeconds = DELAY): Promise<ScriptedPhone> {
    const { issueActivationCode, clock, randomness, settings } = this.parts;
    const { activationCode } = await issueActivationCode.execute(identityId);
    const enrolment = {
      baseUrl: ownAddress(settings),
      appScheme: settings.appScheme,
      activationCode: activationCode.reveal(),
      name: `Sandbox phone (${persona})`,
      platform: 'Sandbox',
      pin: PIN,
    };
    return { phone: await withMappedErrors(Phone.enrol(enrolment, { clock, randomness })), persona, delaySeconds };
  }
}
