/**
 * Adds `code` and `state`, where given, to the query of the URI (RFC 6749 section 4.1.2). The answer is ASCII, as a header `Location` has to be: clients of former
 * releases may have registered a URI with other characters.
 */
export const redirectUrl = (registered: string, { code, state }: { code?: string | undefined; state?: string | undefined }): string => {
  const redirectUri = inAscii(registered);
  const parameters = Object.entries({ code, state }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  if (parameters.length === 0) return redirectUri;
  const separator = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&';
  return `${redirectUri}${separator}${parameters.join('&')}`;
};

/** RFC 3987 section 3.1: the host in Punycode, everything else percent-encoded. A URI in ASCII stays as it is. */
const inAscii = (uri: string): string =>
  uri
    .replace(AUTHORITY, (authority) => (BEYOND_ASCII.test(authority) ? new URL(uri).host : authority))
    .replace(BEYOND_ASCII_RUNS, (text) => encodeURIComponent(text));

/** After the scheme, to the path, the query or the end. */
const AUTHORITY = /(?<=:\/\/)[^/?#]*/;
const BEYOND_ASCII = /[^\p{ASCII}]/u;
const BEYOND_ASCII_RUNS = /[^\p{ASCII}]+/gu;
