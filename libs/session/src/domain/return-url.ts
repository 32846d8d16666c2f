const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The address that the app may open after it is done, or undefined: only an origin that the service itself or the
 * client vouched for, https, or http on loopback (api-extensions 1.22). Everything else a QR code may say is ignored.
 */
export const allowedReturnUrl = (returnUrl: string | undefined, vouchedFor: readonly string[]): string | undefined => {
  if (returnUrl === undefined || !URL.canParse(returnUrl)) return undefined;
  const { protocol, hostname, origin, username, password } = new URL(returnUrl);
  const safe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
  if (!safe || username || password) return undefined;
  return vouchedFor.some((uri) => new URL(uri).origin === origin) ? returnUrl : undefined;
};
