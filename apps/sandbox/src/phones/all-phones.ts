import { IdentityExists, type RegisterIdentity } from '#domain/identity';
import type { Clock } from '#kernel';

import { seededPerson } from '../seed/seeded-persons.js';
import type { EnrolPhone } from './enrol-phone.js';
import { isPersona, type PersonaName } from './personas.js';
import type { ScriptedPhone, ScriptedPhones } from './scripted-phones.js';

export interface AllPhonesParts {
  readonly registerIdentity: RegisterIdentity;
  readonly enrolPhone: Pick<EnrolPhone, 'execute'>;
  readonly phones: ScriptedPhones;
  readonly clock: Clock;
}

/** The phones that a request may name: those that it asked for, by their ids, and one for each persona, by its name. */
export class AllPhones {
  /** Those that are being made. */
  readonly #making = new Map<PersonaName, Promise<ScriptedPhone>>();

  constructor(private readonly parts: AllPhonesParts) {}

  /** The phone of a persona, and its person, are made when they are first asked for: neither a start nor a reset waits for seven enrolments. Throws {@link PhoneNotFound}. */
  async get(phoneId: string): Promise<ScriptedPhone> {
    return isPersona(phoneId) ? this.#seeded(phoneId) : this.parts.phones.get(phoneId);
  }

  async #seeded(persona: PersonaName): Promise<ScriptedPhone> {
    const making = this.#making.get(persona) ?? this.#findOrMake(persona).finally(() => this.#making.delete(persona));
    this.#making.set(persona, making);
    return making;
  }

  async #findOrMake(persona: PersonaName): Promise<ScriptedPhone> {
    const { phones, enrolPhone, registerIdentity, clock } = this.parts;
    const { identityId, ...person } = seededPerson(persona, new Date(clock.now()).getUTCFullYear());
    const kept = await phones.find(identityId);
    if (kept) return kept;
    await registerIdentity.execute(person, identityId).catch((error: unknown) => {
      // Registered before the process ended without the phone.
      if (!(error instanceof IdentityExists)) throw error;
    });
    const made = await enrolPhone.execute(identityId, persona);
    await phones.keep(made, identityId);
    return made;
  }
}
