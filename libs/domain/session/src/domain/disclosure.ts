import { completeDateOfBirth, fullNameOf, latestDateOfBirth, type PersonalData } from '#domain/identity';
import { parsePredicate, type RequestedProperties } from '#domain/relying-party';

export interface Disclosure {
  /** The requested attributes that have a value. Absent when no properties were requested. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The answer to each requested predicate; false where the datum is missing. Absent when no properties were requested. */
  readonly predicates: Readonly<Record<string, boolean>>;
}

/** The properties of the person that the client receives (specification/sessions.md#identity-properties). `today` is the date in the person's country, YYYY-MM-DD. */
export const disclose = (requested: RequestedProperties, person: PersonalData, today: string): Disclosure => ({
  attributes: Object.fromEntries(
    requested.attributes.flatMap((name) => {
      const value = attributeOf(person, name);
      return value ? [[name, value]] : [];
    }),
  ),
  predicates: Object.fromEntries(requested.predicates.map((name) => [name, holds(name, person, today)])),
});

const attributeOf = (person: PersonalData, name: string): string | undefined => {
  if (name === 'name') return fullNameOf(person);
  if (name === 'dateOfBirth') return completeDateOfBirth(person);
  return Object.entries(person).find(([field]) => field === name)?.[1];
};

const holds = (name: string, person: PersonalData, today: string): boolean => {
  const predicate = parsePredicate(name);
  if (!predicate) return false;
  if (predicate.type === 'countryIs') return person.country === predicate.country;
  const born = latestDateOfBirth(person);
  return born !== undefined && ageOn(today, born) >= predicate.years;
};

/** Full years by calendar date. The comparison of texts makes a person born on 29 February a year older on 1 March. */
export const ageOn = (today: string, dateOfBirth: string): number => {
  const years = Number(today.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return today.slice(5) >= dateOfBirth.slice(5) ? years : years - 1;
};
