import { readUrl } from '#web-page/browser';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * The return address, if it may be opened: https, or http on loopback, and no user info. It comes from the answer to the scan
 * only; an address in the QR code is never opened.
 */
export const returnAddress = (returnUrl: string | undefined): string | undefined => {
  const url = returnUrl === undefined ? undefined : readUrl(returnUrl);
  if (url === undefined || url.username !== '' || url.password !== '') return undefined;
  const allowed = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
  return allowed ? url.href : undefined;
};
