import type { PersonalData, RegisterIdentity } from '#domain/identity';
import type { Clock, Randomness } from '#kernel';

import type { EnrolPhone } from './enrol-phone.js';
import { type PersonaName, personas } from './personas.js';
import type { ScriptedPhones } from './scripted-phones.js';

export interface CreatedPhone {
  readonly phoneId: string;
  readonly persona: PersonaName;
  readonly identity: PersonalData & { readonly identityId: string };
}

export interface CreatePhoneParts {
  readonly registerIdentity: RegisterIdentity;
  readonly enrolPhone: Pick<EnrolPhone, 'execute'>;
  readonly phones: ScriptedPhones;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

/** A new person, and a phone of that person. */
export class CreatePhone {
  constructor(private readonly parts: CreatePhoneParts) {}

  async execute(persona: PersonaName, delaySeconds?: number): Promise<CreatedPhone> {
    const { registerIdentity, enrolPhone, phones } = this.parts;
    const person = this.#person(persona);
    const identityId = await registerIdentity.execute(person);
    const made = await enrolPhone.execute(identityId, persona, delaySeconds);
    await phones.keep(made);
    return { phoneId: made.phone.deviceId, persona, identity: { identityId, ...person } };
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
