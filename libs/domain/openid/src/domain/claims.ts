import { allows, type Client, isAttributeName, parsePredicate, type RequestedProperties } from '#domain/relying-party';

/** The claims of OpenID Connect Core section 5.1, and claims of our own, by the attributes that they are here. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  name: 'name',
  given_name: 'givenName',
  family_name: 'familyName',
  birthdate: 'dateOfBirth',
  email: 'email',
  phone_number: 'phoneNumber',
  personal_code: 'personalCode',
  country: 'country',
};

/** OpenID Connect Core section 5.4. */
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  profile: ['name', 'given_name', 'family_name', 'birthdate'],
  email: ['email'],
  phone: ['phone_number'],
};

/** Claims of our own are scopes too, for libraries that cannot send `claims`. */
const OWN_SCOPES: readonly string[] = ['personal_code', 'country'];

/** The scope that asks for evidence of the login. It stands for no claim. */
const EVIDENCE_SCOPE = 'evidence';

/** The scopes and claims that the metadata names. Predicates have too many names for a list. */
export const SCOPES_SUPPORTED = ['openid', ...Object.keys(SCOPES), ...OWN_SCOPES, 'age_over_18', EVIDENCE_SCOPE];
export const CLAIMS_SUPPORTED = Object.keys(ATTRIBUTES);

const WITHOUT_CLAIM: ReadonlySet<string> = new Set(['openid', EVIDENCE_SCOPE]);

/** The name of the attribute or predicate that a claim is here. Undefined for a claim that does not exist. */
const propertyOf = (claim: string): string | undefined => {
  if (Object.hasOwn(ATTRIBUTES, claim)) return ATTRIBUTES[claim];
  const [, age, country] = /^(?:age_over_([1-9]\d{0,2})|country_is_([a-z]{2}))$/.exec(claim) ?? [];
  const predicate = age !== undefined ? `ageOver${age}` : `countryIs${country?.toUpperCase()}`;
  return parsePredicate(predicate) && predicate;
};

/** The claim that an attribute or predicate is to the client. */
const claimOf = (property: string): string => {
  const attribute = Object.entries(ATTRIBUTES).find(([, name]) => name === property)?.[0];
  return (
    attribute ?? property.replace('ageOver', 'age_over_').replace(/countryIs(..)/, (_, country: string) => `country_is_${country.toLowerCase()}`)
  );
};

const claimsOf = (scope: string): readonly string[] => {
  if (Object.hasOwn(SCOPES, scope)) return SCOPES[scope] ?? [];
  const isOwn = OWN_SCOPES.includes(scope) || (!Object.hasOwn(ATTRIBUTES, scope) && propertyOf(scope) !== undefined);
  return isOwn ? [scope] : [];
};

/** As many as a session may ask for (specification/sessions.md#identity-properties). */
const MOST_NAMES = 20;

export interface Granted {
  /** The scopes that remain, with blanks between. */
  readonly scope: string;
  /** Absent: nothing is asked for but the subject. */
  readonly requested?: RequestedProperties;
  /** The token answer carries what proves the login. */
  readonly evidence?: true;
}

/**
 * What a client gets of the scopes and of the names in the parameter `claims`. What does not exist or stands outside its allow-list is left out, since stock
 * libraries ask for `profile email` by themselves (RFC 6749 section 3.3).
 */
export const granted = (scopes: readonly string[], claims: readonly string[], client: Client): Granted => {
  const allowed = (claim: string): string | undefined => {
    const property = propertyOf(claim);
    return property !== undefined && allows(client, requestOf([property])) ? property : undefined;
  };
  const remaining = scopes.filter((scope) => WITHOUT_CLAIM.has(scope) || claimsOf(scope).some((claim) => allowed(claim) !== undefined));
  const properties = [...remaining.flatMap(claimsOf), ...claims].flatMap((claim) => allowed(claim) ?? []);
  const names = [...new Set(properties)].slice(0, MOST_NAMES);
  return {
    scope: [...new Set(remaining)].join(' '),
    ...(names.length > 0 && { requested: requestOf(names) }),
    ...(remaining.includes(EVIDENCE_SCOPE) && { evidence: true as const }),
  };
};

const requestOf = (properties: readonly string[]): RequestedProperties => ({
  attributes: properties.filter(isAttributeName),
  predicates: properties.filter((name) => !isAttributeName(name)),
});

/** The attributes and predicates of a token answer as claims. */
export const claimsFrom = (disclosed: {
  readonly attributes?: Readonly<Record<string, string>>;
  readonly predicates?: Readonly<Record<string, boolean>>;
}): Readonly<Record<string, string | boolean>> =>
  Object.fromEntries(Object.entries({ ...disclosed.attributes, ...disclosed.predicates }).map(([name, value]) => [claimOf(name), value]));
