interface Answer {
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  /** RFC 9207 */
  readonly iss?: string | undefined;
  /** RFC 6749 section 4.1.2.1, in place of a code. */
  readonly error?: string | undefined;
  readonly error_description?: string | undefined;
}

/**
 * Adds the parameters of the answer, where given, to the query of the URI (RFC 6749 section 4.1.2). The answer is ASCII, as a header `Location` has to be and a registered URI
 * is.
 */
export const redirectUrl = (redirectUri: string, { code, error, error_description, state, iss }: Answer): string => {
  const parameters = Object.entries({ code, error, error_description, state, iss }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  if (parameters.length === 0) return redirectUri;
  const separator = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&';
  return `${redirectUri}${separator}${parameters.join('&')}`;
};
