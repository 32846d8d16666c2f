import { isCountryCode } from '#kernel';

/** The attributes that a client may ask for (specification/sessions.md#identity-properties). */
export const ATTRIBUTE_NAMES = ['name', 'givenName', 'familyName', 'personalCode', 'dateOfBirth', 'country', 'email', 'phoneNumber'] as const;

export type AttributeName = (typeof ATTRIBUTE_NAMES)[number];

export type Predicate =
  | { readonly type: 'ageOver'; readonly years: number }
  /** ISO 3166-1 alpha-2. */
  | { readonly type: 'countryIs'; readonly country: string };

/** An allow-list entry that permits every `ageOver` predicate. */
export const ANY_AGE = 'ageOver*';

export const isAttributeName = (name: string): name is AttributeName => (ATTRIBUTE_NAMES as readonly string[]).includes(name);

/** Every entry of an allow-list of predicates has this form; not every text of this form is one. */
export const ALLOWABLE_PREDICATE = /^(ageOver([*]|[1-9][0-9]{0,2})|countryIs[A-Z]{2})$/;

/** Parses a predicate name such as `ageOver18` or `countryIsEE`. Undefined when the name is no predicate. */
export const parsePredicate = (name: string): Predicate | undefined => {
  const [, age, country] = /^(?:ageOver([1-9]\d{0,2})|countryIs([A-Z]{2}))$/.exec(name) ?? [];
  if (age !== undefined && Number(age) <= 120) return { type: 'ageOver', years: Number(age) };
  if (country !== undefined && isCountryCode(country)) return { type: 'countryIs', country };
  return undefined;
};

export const isAllowablePredicate = (name: string): boolean => name === ANY_AGE || parsePredicate(name) !== undefined;

/** What a relying party asks for in a session. A type, since events of sessions keep it as JSON. */
export type RequestedProperties = {
  readonly attributes: readonly string[];
  readonly predicates: readonly string[];
};

export interface AllowList {
  readonly allowedAttributes: readonly string[];
  readonly allowedPredicates: readonly string[];
}

/** Whether the allow-list permits every requested attribute and predicate. */
export const allows = (client: AllowList, { attributes, predicates }: RequestedProperties): boolean =>
  attributes.every((name) => client.allowedAttributes.includes(name)) &&
  predicates.every(
    (name) => client.allowedPredicates.includes(name) || (parsePredicate(name)?.type === 'ageOver' && client.allowedPredicates.includes(ANY_AGE)),
  );
