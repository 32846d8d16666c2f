/** Characters. */
export const LONGEST_REDIRECT_URI = 2000;
/** RFC 3986 §2 and §3: what a path and a query may hold. Brackets stand only around an IPv6 address. */
const CHARACTERS = /^(?:[A-Za-z0-9\-._~:/?@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;

/** The service and the client's libraries write and read them in the callback (RFC 6749 §4.1.2, RFC 9207; `session_state` of OpenID Connect). */
const CALLBACK_PARAMETERS: ReadonlySet<string> = new Set(['state', 'code', 'error', 'iss', 'session_state']);

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The fault of a redirect URI, or undefined when it has none. It must be an absolute https URI, or http on loopback
 * (RFC 8252 §7.3), without user info and without a fragment (RFC 6749 §3.1.2). Nothing is normalised, because redirect
 * URIs are compared character by character.
 */
export const redirectUriFault = (uri: string): string | undefined => {
  if (uri.length > LONGEST_REDIRECT_URI) return `must have at most ${LONGEST_REDIRECT_URI} characters`;
  // The WHATWG URL parser drops tabs and line feeds, trims, and treats a backslash as a slash, so a browser would open another address than the text shows.
  if (!uri.isWellFormed() || /[\s\p{Cc}\p{Cf}\\]/u.test(uri)) return 'must hold no white space, control character or backslash';
  if (!/^https?:\/\/[^/]/.test(uri) || !URL.canParse(uri)) return 'must be an absolute https URI';
  const { protocol, hostname } = new URL(uri);
  if (protocol === 'http:' && !LOOPBACK.test(hostname)) return 'must be https, or http on loopback';
  if (authority(uri).includes('@')) return 'must hold no user info';
  // URIs are compared as they are: an asterisk would promise hosts that are never matched.
  if (hostname.includes('*')) return 'must name one host: an asterisk stands for no others';
  if (uri.includes('#')) return 'must hold no fragment';
  if (!CHARACTERS.test(uri.replace(/^(http:\/\/)\[::1\]/, '$1')))
    return 'must hold only characters of RFC 3986: write others percent-encoded (ä as %C3%A4), and such a host in Punycode (xn--…)';
  // RFC 6749 §3.1 lets no parameter come twice, and each library answers another one of two.
  const taken = [...new URL(uri).searchParams.keys()].find((name) => CALLBACK_PARAMETERS.has(name));
  return taken === undefined ? undefined : `must not hold the parameter ${taken}, which the callback has itself`;
};

const authority = (uri: string): string => /^https?:\/\/([^/?#]*)/.exec(uri)?.[1] ?? '';
