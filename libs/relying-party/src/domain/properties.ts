import { isCountryCode } from '#kernel';

/** One vocabulary for what a client may ask about a person (api-extensions section 2). */
export const ATTRIBUTE_NAMES = ['name', 'givenName', 'familyName', 'personalCode', 'dateOfBirth', 'country', 'email', 'phoneNumber'] as const;

export type AttributeName = (typeof ATTRIBUTE_NAMES)[number];

export type Predicate =
  | { readonly type: 'ageOver'; readonly years: number }
  /** ISO 3166-1 alpha-2. */
  | { readonly type: 'countryIs'; readonly country: string };

/** On an allow-list it stands for every age. */
export const ANY_AGE = 'ageOver*';

export const isAttributeName = (name: string): name is AttributeName => (ATTRIBUTE_NAMES as readonly string[]).includes(name);

/** What `ageOver18` or `countryIsEE` asks, or undefined when it is no predicate. */
export const parsePredicate = (name: string): Predicate | undefined => {
  const [, age, country] = /^(?:ageOver([1-9]\d{0,2})|countryIs([A-Z]{2}))$/.exec(name) ?? [];
  if (age !== undefined && Number(age) <= 120) return { type: 'ageOver', years: Number(age) };
  if (country !== undefined && isCountryCode(country)) return { type: 'countryIs', country };
  return undefined;
};

export const isAllowablePredicate = (name: string): boolean => name === ANY_AGE || parsePredicate(name) !== undefined;

export interface RequestedProperties {
  readonly attributes: readonly string[];
  readonly predicates: readonly string[];
}

export interface AllowList {
  readonly allowedAttributes: readonly string[];
  readonly allowedPredicates: readonly string[];
}

/** Whether the client may ask for all of it. */
export const allows = (client: AllowList, { attributes, predicates }: RequestedProperties): boolean =>
  attributes.every((name) => client.allowedAttributes.includes(name)) &&
  predicates.every(
    (name) =>
      client.allowedPredicates.includes(name) ||
      (parsePredicate(name)?.type === 'ageOver' && client.allowedPredicates.includes(ANY_AGE)),
  );
