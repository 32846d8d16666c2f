const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The address that the app may open afterwards, or undefined. Only https, or http on loopback, and only an origin of the
 * `allowed` addresses counts (specification/login-ui.md#return-address); any other address in a QR code is ignored.
 *
 * Parsers disagree about addresses that are not written as the URL standard writes them: of `https://rp.example\@evil.example/` some take evil.example for
 * the host. So only an address counts that the standard's own serialisation leaves as it is.
 */
export const allowedReturnUrl = (returnUrl: string | undefined, allowed: readonly string[]): string | undefined => {
  if (returnUrl === undefined || !URL.canParse(returnUrl)) return undefined;
  const { href, protocol, hostname, origin, username, password } = new URL(returnUrl);
  const safe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
  if (href !== returnUrl || !safe || username || password) return undefined;
  return allowed.some((uri) => new URL(uri).origin === origin) ? href : undefined;
};
