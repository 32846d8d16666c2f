import type { PersonalData } from '#identity';
import { parsePredicate } from '#relying-party';

import type { RequestedProperties } from './session.events.js';

export interface Disclosure {
  /** Attribute name to value; an attribute without a value is absent. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Exactly one answer for each requested predicate; false when the data is missing. */
  readonly predicates: Readonly<Record<string, boolean>>;
}

/** What the client learns of the person (specification, "Identity properties"). `today` is a date of the UTC calendar, YYYY-MM-DD. */
export const disclose = (requested: RequestedProperties, person: PersonalData, today: string): Disclosure => ({
  attributes: Object.fromEntries(
    requested.attributes.flatMap((name) => {
      const value = attributeOf(person, name);
      return value ? [[name, value]] : [];
    }),
  ),
  predicates: Object.fromEntries(requested.predicates.map((name) => [name, holds(name, person, today)])),
});

const attributeOf = (person: PersonalData, name: string): string | undefined =>
  name === 'name' ? `${person.givenName} ${person.familyName}`.trim() : (person as unknown as Record<string, string | undefined>)[name];

const holds = (name: string, person: PersonalData, today: string): boolean => {
  const predicate = parsePredicate(name);
  if (!predicate) return false;
  if (predicate.type === 'countryIs') return person.country === predicate.country;
  return person.dateOfBirth !== undefined && ageOn(today, person.dateOfBirth) >= predicate.years;
};

/** Full years by calendar date; comparing the texts lets somebody born on 29 February age on 1 March. */
export const ageOn = (today: string, dateOfBirth: string): number => {
  const years = Number(today.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return today.slice(5) >= dateOfBirth.slice(5) ? years : years - 1;
};
