const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * The address to go back to, if it may be opened: https, or http on this very machine, and no user info. Only ever
 * given what the scan answered; what stands in the QR code is never opened.
 */
export const returnAddress = (returnUrl: string | undefined): string | undefined => {
  if (returnUrl === undefined || !URL.canParse(returnUrl)) return undefined;
  const url = new URL(returnUrl);
  if (url.username !== '' || url.password !== '') return undefined;
  const allowed = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
  return allowed ? url.href : undefined;
};
