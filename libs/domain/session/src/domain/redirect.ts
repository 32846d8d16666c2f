/**
 * Adds `code` and `state`, where given, to the query of the URI (RFC 6749 section 4.1.2). The answer is ASCII, as a header `Location` has to be and a registered URI
 * is.
 */
export const redirectUrl = (redirectUri: string, { code, state }: { code?: string | undefined; state?: string | undefined }): string => {
  const parameters = Object.entries({ code, state }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  if (parameters.length === 0) return redirectUri;
  const separator = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&';
  return `${redirectUri}${separator}${parameters.join('&')}`;
};
