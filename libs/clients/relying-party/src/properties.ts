/** The properties that a login requests. specification/sessions.md#identity-properties lists the names; the client's allow-list decides. */
export interface RequestedProperties {
  /** Values, such as `name` or `dateOfBirth`. */
  readonly attributes?: readonly string[];
  /** Yes-or-no questions, such as `ageOver18` or `countryIsEE`. */
  readonly predicates?: readonly string[];
}

/** The wire form of the `properties` field: base64url, without padding, of JSON. Undefined when nothing is requested. */
export const encodeProperties = ({ attributes = [], predicates = [] }: RequestedProperties): string | undefined => {
  if (attributes.length === 0 && predicates.length === 0) return undefined;
  const request = {
    ...(attributes.length === 0 ? {} : { attributes }),
    ...(predicates.length === 0 ? {} : { predicates }),
  };
  return Buffer.from(JSON.stringify(request), 'utf8').toString('base64url');
};
