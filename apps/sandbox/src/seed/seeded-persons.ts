import type { PersonalData } from '#domain/identity';
import type { IdentityId } from '#kernel';

import { PERSONAS, type PersonaName, personas } from '../phones/personas.js';

/** A person of whom every sandbox has one, with the same data (specification/sandbox.md#what-is-there-from-the-start). */
export interface SeededPerson extends PersonalData {
  readonly identityId: IdentityId;
}

/** `year`: of the service. */
export const seededPerson = (persona: PersonaName, year: number): SeededPerson => {
  const dateOfBirth = personas[persona].dateOfBirth?.(year);
  return {
    identityId: `5a4db000-0000-4000-8000-0000000001${String(PERSONAS.indexOf(persona) + 1).padStart(2, '0')}` as IdentityId,
    givenName: 'Sandra',
    familyName: FAMILY_NAMES[persona],
    personalCode: `SANDBOX-${persona.toUpperCase()}`,
    ...(dateOfBirth !== undefined && { dateOfBirth }),
    country: 'EE',
    email: `${persona}@sandbox.example`,
    phoneNumber: `+372555010${PERSONAS.indexOf(persona) + 1}`,
  };
};

const FAMILY_NAMES: Readonly<Record<PersonaName, string>> = {
  ok: 'Okay',
  decline: 'Decline',
  leave: 'Leave',
  'wrong-pin': 'Wrongpin',
  slow: 'Slow',
  minor: 'Minor',
  'no-birthdate': 'Undated',
};
